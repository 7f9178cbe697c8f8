#include "scene/decode_memory.h"

#include <cstdlib>

#include "base/allocator.h"

namespace sublet::scene {
namespace {

// What the decoder holds at a time, and may hold.
struct Ledger {
    std::size_t held = 0;
    std::size_t most = 0;
    bool refused = false;
};
thread_local Ledger ledger;

bool allowed(std::size_t bytes) {
    if (ledger.held <= ledger.most && bytes <= ledger.most - ledger.held) return true;
    ledger.refused = true;
    return false;
}

}  // namespace

void* take_decode_memory(std::size_t bytes) {
    void* const block = allowed(bytes) ? std::malloc(bytes) : nullptr;
    ledger.held += allocated_bytes(block);
    return block;
}

void give_back_decode_memory(void* block) {
    ledger.held -= allocated_bytes(block);
    std::free(block);
}

void* resize_decode_memory(void* block, std::size_t bytes) {
    const std::size_t before = allocated_bytes(block);
    if (bytes > before && !allowed(bytes - before)) return nullptr;
    void* const resized = std::realloc(block, bytes);
    if (resized != nullptr) ledger.held = ledger.held - before + allocated_bytes(resized);
    return resized;
}

void allow_decode_memory(std::uint64_t most) {
    ledger = {0, static_cast<std::size_t>(most), false};
}

bool decode_memory_refused() {
    return ledger.refused;
}

}  // namespace sublet::scene
