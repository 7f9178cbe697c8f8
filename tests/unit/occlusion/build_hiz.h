// The HiZ pyramid on the CPU, from its definition: what hiz.comp is held to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "render/view/hiz_layout.h"

namespace sublet::test {

using render::hiz_float_count;
using render::hiz_level_height;
using render::hiz_level_offset;
using render::hiz_level_width;
using render::hiz_row_pitch;

// The pyramid of a depth image, rows from the top, width * height values; padding is 0. Each level is made from the one
// below, folding what lies beyond the edge onto the edge.
inline std::vector<float> build_hiz(const shared::HizLayout& layout, std::span<const float> depth) {
    std::vector<float> pyramid(static_cast<std::size_t>(hiz_float_count(layout)), 0.0F);
    std::vector<float> below(depth.begin(), depth.end());
    uint32_t below_width = layout.width;
    uint32_t below_height = layout.height;
    for (uint32_t level = 1; level <= layout.last_level; ++level) {
        const uint32_t width = hiz_level_width(layout, level);
        const uint32_t height = hiz_level_height(layout, level);
        std::vector<float> texels(std::size_t{width} * height);
        for (uint32_t y = 0; y < height; ++y) {
            const std::size_t y0 = std::size_t{2} * y;
            const std::size_t y1 = std::min<std::size_t>(y0 + 1, below_height - 1);
            for (uint32_t x = 0; x < width; ++x) {
                const std::size_t x0 = std::size_t{2} * x;
                const std::size_t x1 = std::min<std::size_t>(x0 + 1, below_width - 1);
                const auto at = [&](std::size_t tx, std::size_t ty) { return below[ty * below_width + tx]; };
                texels[std::size_t{y} * width + x] =
                    std::min(std::min(at(x0, y0), at(x1, y0)), std::min(at(x0, y1), at(x1, y1)));
            }
            if (level >= layout.first_level) {
                std::copy_n(
                    texels.begin() + static_cast<std::ptrdiff_t>(std::size_t{y} * width), width,
                    pyramid.begin() + static_cast<std::ptrdiff_t>(hiz_level_offset(layout, level) +
                                                                  std::size_t{y} * hiz_row_pitch(layout, level)));
            }
        }
        below = std::move(texels);
        below_width = width;
        below_height = height;
    }
    return pyramid;
}

}  // namespace sublet::test
