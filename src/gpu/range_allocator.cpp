#include "gpu/range_allocator.h"

#include "base/error.h"
#include "gpu/memory_allocator.h"

namespace sublet::gpu {

RangeAllocator::RangeAllocator(uint64_t count) {
    VmaVirtualBlockCreateInfo info{};
    info.size = count;
    if (vmaCreateVirtualBlock(&info, &block_) != VK_SUCCESS) {
        throw Error("memory", "ranges", "none is left to keep a list of them");
    }
}

RangeAllocator::~RangeAllocator() {
    vmaClearVirtualBlock(block_);
    vmaDestroyVirtualBlock(block_);
}

std::optional<RangeAllocator::Part> RangeAllocator::take(uint64_t count) {
    VmaVirtualAllocationCreateInfo info{};
    info.size = count;
    info.alignment = 1;
    VmaVirtualAllocation allocation = VK_NULL_HANDLE;
    VkDeviceSize first = 0;
    if (vmaVirtualAllocate(block_, &info, &allocation, &first) != VK_SUCCESS) return std::nullopt;
    return Part{first, reinterpret_cast<uint64_t>(allocation)};  // NOLINT: a handle
}

void RangeAllocator::give_back(const Part& part) {
    vmaVirtualFree(block_, reinterpret_cast<VmaVirtualAllocation>(part.handle));  // NOLINT: as above
}

}  // namespace sublet::gpu
