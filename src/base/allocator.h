#pragma once

#include <cstddef>

namespace sublet {

/// Makes the C library keep freed memory for the next use instead of giving it back at once, where it can be told so
/// (glibc); elsewhere nothing happens. Encoding allocates and frees arrays of megabytes over and over: without this a
/// tenth of its time goes into page faults, and threads wait for each other in the kernel. Call it once, before any
/// thread starts.
void keep_freed_memory();

/// Gives back what was freed until now (glibc); elsewhere nothing happens. Each thread keeps freed memory of its own,
/// so threads that take turns hold what all of them took.
void release_freed_memory();

/// Of a block of malloc()'s, as large as the allocator made it; 0 for null.
[[nodiscard]] std::size_t allocated_bytes(void* block);

}  // namespace sublet
