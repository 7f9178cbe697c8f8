// VMA's implementation: the one source that compiles it. See memory_allocator.h for its configuration.
#define VMA_IMPLEMENTATION
#include "gpu/memory_allocator.h"
