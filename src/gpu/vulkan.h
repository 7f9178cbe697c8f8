#pragma once

// The one place that includes Vulkan. Functions are loaded at run time by volk: nothing links against libvulkan, so the
// program starts on machines without it. The function pointers are instance-level ones: they are right for every device
// of the process at once.

#include <volk.h>

#include <string>
#include <string_view>
#include <vector>

// Of VMA only these handles appear in headers; vk_mem_alloc.h itself is included by the sources that allocate.
struct VmaAllocator_T;
struct VmaAllocation_T;
struct VmaPool_T;
using VmaAllocator = VmaAllocator_T*;
using VmaAllocation = VmaAllocation_T*;
using VmaPool = VmaPool_T*;

namespace sublet::gpu {

// Whether a list of extensions or layers has it.
[[nodiscard]] bool contains(const std::vector<std::string>& names, std::string_view name);

// An all-zero Vulkan struct of the type that `type` stands for.
template <class Struct>
constexpr Struct make_struct(VkStructureType type) {
    Struct value{};
    value.sType = type;
    return value;
}

// The result's name as the specification spells it ("VK_ERROR_DEVICE_LOST"), or "VkResult -123" for one that is not
// known.
std::string result_name(VkResult result);

// Throws Error when `result` is an error (negative). `doing` says what was being done, as a phrase: "creating the
// pipeline 'hiz'". The message has the result's name and, for a lost device and exhausted memory, what the user can do.
// Positive results (VK_SUBOPTIMAL_KHR, VK_NOT_READY, ...) pass: who cares about them looks at the returned value, which
// is `result` itself.
VkResult check(VkResult result, std::string_view doing);

}  // namespace sublet::gpu
