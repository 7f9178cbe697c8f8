// The ways of work expansion (expansion.h), and which of them can be had.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/capabilities.h"
#include "shaders/shared/expansion.h"

namespace sublet::render {

enum class ExpansionStrategy : std::uint8_t {
    kMaxN = shared::kExpansionMaxN,            // a lane for each item there might be
    kPerItem = shared::kExpansionPerItem,      // an entry for each item
    kLinear = shared::kExpansionLinear,        // an entry for each source, looked through
    kPrefixSum = shared::kExpansionPrefixSum,  // the same with a running sum, searched by halves
    kScan = shared::kExpansionScan,            // the counts in order, summed up by a pass of its own, then the same
                                               // search: the order is kept
    kBuckets = shared::kExpansionBuckets,      // an entry for each power of two in a count
    kTaskList = shared::kExpansionTaskList,    // an entry for each 32 items of a source
    kGenerated = shared::kExpansionGenerated,  // a dispatch for each source, by generated commands
};

// In the order of the list above.
[[nodiscard]] std::span<const ExpansionStrategy> all_expansions();
// "max-n", ...
[[nodiscard]] std::string_view expansion_name(ExpansionStrategy strategy);

// Whether pushing takes 64-bit atomics: shaders/expansion/packed.glsl.
[[nodiscard]] constexpr bool pushes_packed(ExpansionStrategy strategy) {
    return strategy == ExpansionStrategy::kLinear || strategy == ExpansionStrategy::kPrefixSum ||
           strategy == ExpansionStrategy::kGenerated;
}

// What the sources of an expansion may push at most, known beforehand: buffers are sized by it.
struct ExpansionDemand {
    std::uint64_t sources = 0;
    std::uint64_t items = 0;   // of all sources
    std::uint64_t chunks = 0;  // of kTaskMeshlets items of one source
    std::uint32_t most = 0;    // items of one source
    // [b]: sources with 2^b items or more
    std::array<std::uint32_t, 32> reaching{};
    bool keeps_first = false;  // of each source, which of its things its first item is
    bool of_cut = false;       // levels of detail choose among the items: far fewer than all are pushed

    // One more source, with at most this many items.
    void add(std::uint32_t most_items);
};

// Null when the strategy works on a device with these capabilities; else one sentence that a user can act on.
[[nodiscard]] std::optional<std::string> expansion_unavailable(ExpansionStrategy strategy,
                                                               const gpu::Capabilities& capabilities);

// The same for these sources: also when the strategy would take absurd work, or more memory than can be bound.
[[nodiscard]] std::optional<std::string> expansion_unavailable(ExpansionStrategy strategy,
                                                               const ExpansionDemand& demand,
                                                               const gpu::Capabilities& capabilities);

// What is chosen where nothing was asked for, as docs/BENCHMARKS.md advises. An empty demand: nothing is known of the
// sources.
[[nodiscard]] ExpansionStrategy best_expansion(const ExpansionDemand& demand, const gpu::Capabilities& capabilities);

// Lanes of the consumer that a strategy numbers, at most.
[[nodiscard]] std::uint64_t expansion_lanes(ExpansionStrategy strategy, const ExpansionDemand& demand);

// Entries that a bucket of `buckets` has room for, each worth 2^bucket items.
[[nodiscard]] std::uint64_t bucket_entries(const ExpansionDemand& demand, std::size_t bucket);

// Entries of a strategy's list that are enough for the demand, and bytes of one entry.
[[nodiscard]] std::uint64_t expansion_entries(ExpansionStrategy strategy, const ExpansionDemand& demand);
[[nodiscard]] std::uint32_t expansion_entry_bytes(ExpansionStrategy strategy);

}  // namespace sublet::render
