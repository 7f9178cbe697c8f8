#include "base/allocator.h"

#include <malloc.h>

namespace sublet {

void keep_freed_memory() {}  // Windows' heap keeps it anyway

void release_freed_memory() {}

std::size_t allocated_bytes(void* block) {
    return block == nullptr ? 0 : ::_msize(block);
}

}  // namespace sublet
