// Puts a view's picture into a window's image.
#pragma once

#include <cstdint>

#include "gpu/resources.h"
#include "gpu/vulkan.h"

namespace sublet::render {

// Columns of pixels, from `first` to before `end`.
struct Columns {
    std::uint32_t first = 0, end = 0;
};

// Copies these columns of `picture`, which is in TRANSFER_SRC_OPTIMAL, to the same place of `window`, which is as large
// and in TRANSFER_DST_OPTIMAL. Both hold sRGB-encoded values; their formats may differ in the order of colours. No
// columns: nothing is recorded.
void record_window_part(VkCommandBuffer commands, const gpu::Image& picture, VkImage window, const Columns& columns);

}  // namespace sublet::render
