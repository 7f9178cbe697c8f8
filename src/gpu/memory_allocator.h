#pragma once

// For this layer's sources that allocate: vk_mem_alloc.h, configured to find Vulkan's functions through the pointers it
// is given.

#include "gpu/vulkan.h"

#define VMA_STATIC_VULKAN_FUNCTIONS 0
#define VMA_DYNAMIC_VULKAN_FUNCTIONS 1
#include <vk_mem_alloc.h>
