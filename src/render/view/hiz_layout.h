// The HiZ pyramid on the CPU: where its levels lie, and what they hold. The reference that hiz.comp is held to.
//
// Levels are rounded up: level L of a w x h image has ceil(w / 2^L) x ceil(h / 2^L) texels. Then
//   - halving level by level, rounding up, gives those sizes: ceil(ceil(w / 2^L) / 2) = ceil(w / 2^(L + 1));
//   - texel x of level L covers exactly the pixels [x 2^L, (x + 1) 2^L) that the image has: by induction, the texels
//     2x and 2x + 1 of level L - 1 cover that range, and when 2x + 1 is not there its pixels are beyond the edge;
//   - so the texel of any pixel is pixel >> L, at every level and every size, and no edge pixel is forgotten.
// Rounded down, as an image's mips are, the last texel would have to cover up to three of the level below, and pixel >>
// L could point past it. The chain ends at level max(1, ceil(log2(max(w, h)))), which is 1x1.
//
// The pyramid is a buffer of floats, not an image: a storage image would take a descriptor for each mip, of which a
// device need allow only 4 per stage, mips round down, and a lookup is four plain loads anyway. Storage buffers are
// bounds-checked where images are, and no layouts need keeping. Level 0, the depth image, is not copied: bounds of a
// pixel or two lose little at level 1, and it would be three quarters of the memory and of the writes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shaders/shared/occlusion.h"

namespace sublet::render {

inline uint32_t hiz_level_width(const shared::HizLayout& layout, uint32_t level) {
    return (layout.width + (1U << level) - 1) >> level;
}

inline uint32_t hiz_level_height(const shared::HizLayout& layout, uint32_t level) {
    return (layout.height + (1U << level) - 1) >> level;
}

// Floats from one row of a level to the next: even, so that the two texels a lane writes are one aligned pair.
inline uint32_t hiz_row_pitch(const shared::HizLayout& layout, uint32_t level) {
    return (hiz_level_width(layout, level) + 1) & ~1U;
}

inline uint32_t hiz_level_offset(const shared::HizLayout& layout, uint32_t level) {
    const shared::uvec4& four = layout.offsets[level / 4];
    switch (level % 4) {
        case 0:
            return four.x;
        case 1:
            return four.y;
        case 2:
            return four.z;
        default:
            return four.w;
    }
}

// Floats that the pyramid's buffer holds, an even number.
inline uint64_t hiz_float_count(const shared::HizLayout& layout) {
    return hiz_level_offset(layout, layout.last_level) + 2;  // the last level is a padded row of one texel
}

// The layout for a depth image of width x height pixels, each 1 to kHizMaxSize, in at most `max_bytes` (a device's
// maxStorageBufferRange: at least 2^27): the finest levels are left out until it fits, which keeps culling right but
// coarser. At 2^27 bytes that begins above 9,400 x 9,400 pixels.
inline shared::HizLayout make_hiz_layout(uint32_t width, uint32_t height, uint64_t max_bytes) {
    shared::HizLayout layout{};
    layout.width = width;
    layout.height = height;
    layout.last_level = std::max(1U, static_cast<uint32_t>(std::bit_width(std::max(width, height) - 1)));
    std::array<uint32_t, 16> offsets{};
    for (layout.first_level = 1;; ++layout.first_level) {
        offsets = {};
        uint64_t count = 0;
        for (uint32_t level = layout.first_level; level <= layout.last_level; ++level) {
            offsets[level] = static_cast<uint32_t>(count);
            count += uint64_t{hiz_row_pitch(layout, level)} * hiz_level_height(layout, level);
        }
        if (count * sizeof(float) <= max_bytes || layout.first_level == layout.last_level) break;
    }
    for (std::size_t i = 0; i < 4; ++i) {
        layout.offsets[i] = {offsets[4 * i], offsets[4 * i + 1], offsets[4 * i + 2], offsets[4 * i + 3]};
    }
    return layout;
}

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

}  // namespace sublet::render
