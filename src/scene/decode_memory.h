// Memory of decoders that are given files from strangers: however much a file's data inflate to, they take no more than
// was allowed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sublet::scene {

// What a decoder on this thread allocates with, in the place of malloc, free and realloc. take() and resize() return
// null where it would hold more than with_memory() allows.
[[nodiscard]] void* take_decode_memory(std::size_t bytes);
void give_back_decode_memory(void* block);
[[nodiscard]] void* resize_decode_memory(void* block, std::size_t bytes);

// From now on nothing is held by this thread's decoder, and so many bytes may be.
void allow_decode_memory(std::uint64_t most);
// Whether it asked for more since then.
[[nodiscard]] bool decode_memory_refused();

// Calls the decoder with so much memory to use. What it returned is no longer counted.
template <typename Call>
auto with_decode_memory(std::uint64_t most, Call call) {
    allow_decode_memory(most);
    return call();
}

}  // namespace sublet::scene
