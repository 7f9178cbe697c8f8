// An image of the caller's, of a window say, that pictures are drawn to.
#pragma once

#include <cstdint>

#include "gpu/vulkan.h"

namespace sublet::render {

struct WindowTarget {
    VkImageView image = VK_NULL_HANDLE;  // in COLOR_ATTACHMENT_OPTIMAL, before and after; sRGB-encoded values
    VkFormat format = VK_FORMAT_UNDEFINED;
};

// Columns of pixels, from `first` to before `end`.
struct Columns {
    std::uint32_t first = 0, end = 0;
};

}  // namespace sublet::render
