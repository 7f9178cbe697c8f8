#include "render/settings/expansion_strategy.h"

#include <algorithm>
#include <bit>

#include "base/count_text.h"
#include "shaders/shared/expansion.h"

namespace sublet::render {
namespace {

struct Row {
    ExpansionStrategy strategy;
    std::string_view name;
    std::uint32_t entry_bytes;
};

constexpr std::array kRows{
    Row{ExpansionStrategy::kMaxN, "max-n", 4},         Row{ExpansionStrategy::kPerItem, "per-item", 8},
    Row{ExpansionStrategy::kLinear, "linear", 8},      Row{ExpansionStrategy::kPrefixSum, "prefix-sum", 8},
    Row{ExpansionStrategy::kScan, "scan", 4},          Row{ExpansionStrategy::kBuckets, "buckets", 8},
    Row{ExpansionStrategy::kTaskList, "task-list", 8}, Row{ExpansionStrategy::kGenerated, "generated", 24},
};

// max-n: this many lanes may be idle whatever the share of those that are not; beyond, so many for each that is not.
constexpr std::uint64_t kIdleLanes = std::uint64_t{1} << 22;
constexpr std::uint64_t kIdleShare = 64;
// auto: items of a source, on average, that make many.
constexpr std::uint64_t kLargeSources = 64;
// linear: entries looked at by all items together.
constexpr std::uint64_t kLinearSteps = std::uint64_t{1} << 28;
// buckets: items that the entries of one have room for where a cut's are pushed, of more items than can be numbered.
constexpr std::uint64_t kCutBucket = std::uint64_t{1} << 26;
static_assert(kCutBucket * std::tuple_size_v<decltype(ExpansionDemand::reaching)> <= shared::kExpansionMaxItems);

// generated: items of the consumer's workgroups, at most, and of a row of those.
constexpr std::uint64_t kGroupItems = 128;
constexpr std::uint64_t kRow = shared::kDispatchRow * kGroupItems;
constexpr std::size_t kRowItems = std::bit_width(kRow) - 1;  // in ExpansionDemand::reaching
// As many dispatches as were seen to work, in 24 ms. Of 937,500, for which it asks for 6 GB of memory, an H200's driver
// (580.159.04) never came back.
constexpr std::uint64_t kMostDispatches = 100000;

}  // namespace

std::span<const ExpansionStrategy> all_expansions() {
    static constexpr auto kAll = [] {
        std::array<ExpansionStrategy, kRows.size()> all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRows[i].strategy;
        return all;
    }();
    return kAll;
}

std::string_view expansion_name(ExpansionStrategy strategy) {
    for (const Row& row : kRows) {
        if (row.strategy == strategy) return row.name;
    }
    return {};
}

void ExpansionDemand::add(std::uint32_t most_items) {
    ++sources;
    items += most_items;
    chunks += (std::uint64_t{most_items} + shared::kTaskMeshlets - 1) / shared::kTaskMeshlets;
    most = std::max(most, most_items);
    for (int bucket = 0; bucket < static_cast<int>(std::bit_width(most_items)); ++bucket) {
        ++reaching[static_cast<std::size_t>(bucket)];
    }
}

std::uint64_t bucket_entries(const ExpansionDemand& demand, std::size_t bucket) {
    const std::uint64_t all = demand.reaching[bucket];
    const bool few = demand.of_cut && demand.items > shared::kExpansionMaxItems;
    return few ? std::min(all, kCutBucket >> bucket) : all;
}

std::uint64_t expansion_entries(ExpansionStrategy strategy, const ExpansionDemand& demand) {
    switch (strategy) {
        case ExpansionStrategy::kMaxN:
        case ExpansionStrategy::kScan:
            return demand.sources;
        case ExpansionStrategy::kPerItem:
            return demand.items;
        case ExpansionStrategy::kLinear:
        case ExpansionStrategy::kPrefixSum:
        case ExpansionStrategy::kGenerated:
            return demand.reaching[0];
        case ExpansionStrategy::kBuckets: {
            std::uint64_t entries = 0;
            for (std::size_t b = 0; b < demand.reaching.size(); ++b) entries += bucket_entries(demand, b);
            return entries;
        }
        case ExpansionStrategy::kTaskList:
            return demand.chunks;
    }
    return 0;
}

std::uint64_t expansion_lanes(ExpansionStrategy strategy, const ExpansionDemand& demand) {
    if (strategy == ExpansionStrategy::kMaxN) return demand.sources * demand.most;
    if (strategy == ExpansionStrategy::kTaskList) return demand.chunks * shared::kTaskMeshlets;
    if (strategy == ExpansionStrategy::kBuckets) {
        std::uint64_t lanes = 0;
        for (std::size_t b = 0; b < demand.reaching.size(); ++b) lanes += bucket_entries(demand, b) << b;
        return std::min(lanes, demand.items);
    }
    if (strategy == ExpansionStrategy::kGenerated) {
        // Of each source, the last workgroup may have one item alone, and the last of several rows one workgroup.
        return demand.items + demand.reaching[0] * (kGroupItems - 1) + demand.reaching[kRowItems] * kRow;
    }
    return demand.items;
}

std::uint32_t expansion_entry_bytes(ExpansionStrategy strategy) {
    for (const Row& row : kRows) {
        if (row.strategy == strategy) return row.entry_bytes;
    }
    return 0;
}

std::optional<std::string> expansion_unavailable(ExpansionStrategy strategy, const gpu::Capabilities& capabilities) {
    if (strategy == ExpansionStrategy::kGenerated && !capabilities.generated_commands) {
        return "this device has no device generated commands (VK_EXT_device_generated_commands), or a validation layer "
               "that is older than those (1.3.298): use prefix-sum";
    }
    const bool packed = pushes_packed(strategy);
    if (packed && !capabilities.int64_atomics) {
        return "this device has no 64-bit atomics on buffers (int64-atomics), which claim an entry and its items at "
               "once: use buckets or task-list";
    }
    return std::nullopt;
}

std::optional<std::string> expansion_unavailable(ExpansionStrategy strategy, const ExpansionDemand& demand,
                                                 const gpu::Capabilities& capabilities) {
    if (auto reason = expansion_unavailable(strategy, capabilities)) return reason;
    const std::uint64_t lanes = expansion_lanes(strategy, demand);
    if (strategy == ExpansionStrategy::kMaxN && lanes > kIdleLanes && lanes > kIdleShare * demand.items) {
        return "it would start " + counted(lanes, "lane") + " for " + counted(demand.items, "item") +
               ", since one of the " + counted(demand.sources, "source") + " has " + std::to_string(demand.most) +
               ": use task-list";
    }
    if (lanes > shared::kExpansionMaxItems) {
        return "it would number " + counted(lanes, "lane") + ", and at most " +
               std::to_string(shared::kExpansionMaxItems) +
               " can be numbered: use fewer instances, or levels of detail and buckets";
    }
    const std::uint64_t entries = expansion_entries(strategy, demand);
    const std::uint64_t most = std::min<std::uint64_t>(capabilities.max_generated_sequences, kMostDispatches);
    if (strategy == ExpansionStrategy::kGenerated && entries > most) {
        return "it would take " + std::to_string(entries) + " dispatches, and at most " + std::to_string(most) +
               " can be generated at once: use prefix-sum";
    }
    if (strategy == ExpansionStrategy::kLinear && entries / 2 * demand.items > kLinearSteps) {
        return "each of " + counted(demand.items, "item") + " would look through up to " + std::to_string(entries) +
               " entries" + ": use prefix-sum";
    }
    const std::uint64_t bytes = entries * expansion_entry_bytes(strategy);
    if (bytes > capabilities.limits.maxStorageBufferRange) {
        return "its list would take " + std::to_string(bytes >> 20U) + " MiB, and this device binds at most " +
               std::to_string(capabilities.limits.maxStorageBufferRange >> 20U) + " MiB: use task-list";
    }
    return std::nullopt;
}

ExpansionStrategy best_expansion(const ExpansionDemand& demand, const gpu::Capabilities& capabilities) {
    // On a GPU (an H200 measured): a search is cheap, and taking counts apart cheaper where they are large. Where
    // either can't be had, and on a CPU:
    if (capabilities.type != VK_PHYSICAL_DEVICE_TYPE_CPU && demand.items != 0) {
        // With levels of detail the items are of all levels, and few are pushed.
        const bool large = (!demand.keeps_first && demand.items >= kLargeSources * demand.sources) ||
                           demand.items > shared::kExpansionMaxItems;
        const ExpansionStrategy best = large ? ExpansionStrategy::kBuckets : ExpansionStrategy::kPrefixSum;
        if (!expansion_unavailable(best, demand, capabilities)) return best;
    }
    // The lanes of chunks that are half empty cost more than taking counts apart.
    const bool full = demand.chunks * shared::kTaskMeshlets <= 2 * demand.items;
    const ExpansionStrategy first = full ? ExpansionStrategy::kTaskList : ExpansionStrategy::kBuckets;
    // The last of these has the shortest list.
    for (const ExpansionStrategy next : {first, ExpansionStrategy::kTaskList, ExpansionStrategy::kPrefixSum}) {
        if (!expansion_unavailable(next, demand, capabilities)) return next;
    }
    return ExpansionStrategy::kScan;
}

}  // namespace sublet::render
