// Which elements of an array repeat an earlier one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/parallel.h"

namespace sublet::mesh {

// A 32-bit hash of words, good in all its bits.
inline std::uint32_t hash_words(const std::uint32_t* words, std::size_t count) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U;
    for (std::size_t i = 0; i < count; ++i) {
        hash = (hash ^ words[i]) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32U;
    }
    return static_cast<std::uint32_t>(hash ^ hash >> 29U);
}

// A slot of a hash table of elements.
struct ElementSlot {
    std::uint32_t element;
    std::uint32_t hash;
};

// For each element the number of the first that equals it: its own where there is none before. Elements are known by
// their hashes and equal(i, j); those for which skip(i) holds get ~0. Shares the work among the pool by parts of the
// hashes' range, so that the answer does not depend on it.
template <typename Equal, typename Skip>
std::vector<std::uint32_t> find_first_equal(std::span<const std::uint32_t> hashes, const Equal& equal, const Skip& skip,
                                            ThreadPool* pool) {
    constexpr std::uint32_t kNone = ~0U;
    constexpr std::size_t kParts = 8;
    std::vector<std::uint32_t> first(hashes.size(), kNone);
    for_ranges(pool, kParts, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            const auto belongs = [&](std::size_t i) { return hashes[i] >> 29U == part; };
            std::size_t count = 0;
            for (std::size_t i = 0; i < hashes.size(); ++i) count += belongs(i) ? 1 : 0;
            // Open addressing, at most two thirds full.
            std::vector<ElementSlot> slots(std::bit_ceil(count + count / 2 + 1), ElementSlot{kNone, 0});
            const std::size_t mask = slots.size() - 1;
            for (std::uint32_t i = 0; i < hashes.size(); ++i) {
                if (!belongs(i) || skip(i)) continue;
                for (std::size_t s = hashes[i] & mask;; s = (s + 1) & mask) {
                    if (slots[s].element == kNone) {
                        slots[s] = {i, hashes[i]};
                        first[i] = i;
                        break;
                    }
                    if (slots[s].hash == hashes[i] && equal(slots[s].element, i)) {
                        first[i] = slots[s].element;
                        break;
                    }
                }
            }
        }
    });
    return first;
}

}  // namespace sublet::mesh
