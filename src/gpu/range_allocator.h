#pragma once

#include <cstdint>
#include <optional>

struct VmaVirtualBlock_T;

namespace sublet::gpu {

// Deals out parts of a range of numbers, such as the elements of a buffer, that somebody else gives memory.
class RangeAllocator {
  public:
    struct Part {
        uint64_t first = 0;
        uint64_t handle = 0;
    };

    // Of `count` numbers from 0 on, 1 at least. Throws Error when memory runs out.
    explicit RangeAllocator(uint64_t count);
    ~RangeAllocator();
    RangeAllocator(const RangeAllocator&) = delete;
    RangeAllocator& operator=(const RangeAllocator&) = delete;

    // `count` numbers, 1 at least, one after the other; nothing where no gap is as long.
    [[nodiscard]] std::optional<Part> take(uint64_t count);
    void give_back(const Part& part);

  private:
    VmaVirtualBlock_T* block_ = nullptr;
};

}  // namespace sublet::gpu
