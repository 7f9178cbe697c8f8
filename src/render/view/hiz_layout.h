// Where the levels of a HiZ pyramid lie.
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
    return layout.offsets[level / 4][level % 4];
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

}  // namespace sublet::render
