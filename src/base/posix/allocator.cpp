#include "base/allocator.h"

#include <malloc.h>

#include <cstdlib>  // defines __GLIBC__ where it applies

namespace sublet {

void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest there is: below it, memory comes from the heap
    mallopt(M_TRIM_THRESHOLD, 1 << 30);   // whose top is kept
#endif
}

void release_freed_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

std::size_t allocated_bytes(void* block) {
    return ::malloc_usable_size(block);
}

}  // namespace sublet
