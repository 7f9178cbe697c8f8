#include "render/expansion/expansion.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "base/error.h"
#include "gpu/barriers.h"
#include "render/passes/passes.h"

namespace sublet::render {
namespace {

gpu::Buffer make_buffer(gpu::Device& device, const std::string& name, std::uint64_t bytes,
                        VkBufferUsageFlags usage = 0) {
    return {device, {.size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | usage, .name = name}};
}

// Where each bucket's entries lie. Returns their number.
std::uint64_t lay_out_buckets(shared::ExpansionState& state, const ExpansionDemand& demand,
                              std::uint64_t most_entries) {
    state.buckets = static_cast<std::uint32_t>(std::bit_width(demand.most));
    std::uint32_t first = 0;
    for (std::uint32_t bucket = 0; bucket < shared::kMostBuckets; ++bucket) {
        state.bucket_first[bucket] = first;
        first += static_cast<std::uint32_t>(std::min(bucket_entries(demand, bucket), most_entries));
    }
    state.bucket_first[shared::kMostBuckets] = first;
    return first;
}

}  // namespace

Expansion::Expansion(gpu::Device& device, const Options& options)
    : strategy_(options.strategy), most_entries_(options.most_entries) {
    const ExpansionDemand& demand = options.demand;
    if (const auto reason = expansion_unavailable(strategy_, demand, device.capabilities())) {
        throw Error(device.capabilities().name, "expansion " + std::string(expansion_name(strategy_)), *reason);
    }
    std::uint64_t entries = std::min(expansion_entries(strategy_, demand), options.most_entries);
    initial_.dispatch[1] = 1;
    initial_.dispatch[2] = 1;
    initial_.most = std::max(demand.most, 1U);  // divided by
    initial_.group_items = options.group_items;
    if (strategy_ == ExpansionStrategy::kBuckets) {
        entries = lay_out_buckets(initial_, demand, options.most_entries);
    }
    initial_.capacity = static_cast<std::uint32_t>(entries);
    initial_.sources = initial_.capacity;  // where an entry is a source
    const std::uint64_t lanes = expansion_lanes(strategy_, demand);
    std::uint64_t groups = std::max<std::uint64_t>((lanes + options.group_items - 1) / options.group_items, 1);
    if (groups > shared::kDispatchRow) {  // then they come in whole rows
        groups = (groups + shared::kDispatchRow - 1) / shared::kDispatchRow * shared::kDispatchRow;
    }
    most_groups_ = static_cast<std::uint32_t>(groups);
    if (strategy_ == ExpansionStrategy::kMaxN) {
        direct_groups_ = static_cast<std::uint32_t>(
            std::max<std::uint64_t>((entries * initial_.most + options.group_items - 1) / options.group_items, 1));
    }
    const std::uint64_t first_items = demand.keeps_first ? demand.sources * sizeof(std::uint32_t) : 0;
    for (std::size_t phase = 0; phase < states_.size(); ++phase) {
        states_[phase] = make_buffer(device, "expansion state " + std::to_string(phase + 1),
                                     sizeof(shared::ExpansionState) + first_items, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    }
    list_ = make_buffer(device, "work list", entries * expansion_entry_bytes(strategy_),
                        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    if (strategy_ == ExpansionStrategy::kGenerated) {
        sequences_ = std::make_unique<gpu::GeneratedCommands>(
            device, gpu::GeneratedCommands::Layout{.command = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
                                                   .pushed_bytes = sizeof(shared::ExpansionPushed),
                                                   .stride = sizeof(shared::ExpansionSequence)});
    }
    if (strategy_ == ExpansionStrategy::kScan) {
        scan_.emplace(device.capabilities(), ScanOptions{.most_sum = demand.items});
        workspace_ = scan_->make_workspace(device, initial_.sources);
    }
}

void Expansion::record_resets(gpu::Commands commands) const {
    for (const gpu::Buffer& state : states_) {
        commands.record([to = state.handle(), data = initial_](VkCommandBuffer c) {
            vkCmdUpdateBuffer(c, to, 0, sizeof(data), &data);
        });
    }
}

void Expansion::record_pushed(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines,
                              const char* scan_pass) const {
    gpu::memory_barrier(frame.commands, gpu::kCompute, sequences_ ? gpu::kConsume | gpu::kPreprocess : gpu::kConsume);
    if (scan_ && initial_.sources != 0) {
        const auto pass = profiler.pass(frame.commands, scan_pass);
        scan_->record(frame.commands, *frame.descriptors, pipelines, {list_}, {list_}, {.most = initial_.sources},
                      ScanKind::kInclusive, workspace_);
    }
}

void Expansion::record_dispatch(gpu::Commands commands, const gpu::Pipeline& consumer, std::size_t phase) const {
    if (sequences_) {
        if (initial_.capacity == 0) return;
        sequences_->execute(commands, consumer, phase,
                            {.list = list_,
                             .most = initial_.capacity,
                             .counts = states_[phase],
                             .count_offset = offsetof(shared::ExpansionState, entries)});
        // The next phase pushes to the same list.
        gpu::memory_barrier(commands, gpu::kPreprocess, gpu::kCompute);
        return;
    }
    if (direct_groups_ == 0) {
        commands(vkCmdDispatchIndirect, states_[phase].handle(), offsetof(shared::ExpansionState, dispatch));
        return;
    }
    dispatch_rows(commands, direct_groups_);
}

void add_expansion_pipelines(const gpu::Capabilities& capabilities, ExpansionStrategy strategy,
                             const ExpansionDemand& demand, gpu::PipelineList& out) {
    if (strategy != ExpansionStrategy::kScan) return;
    const auto sources = static_cast<std::uint32_t>(expansion_entries(strategy, demand));
    Scan(capabilities, {.most_sum = demand.items}).add_pipelines(sources, out);
}

void prepare_expansion(std::unique_ptr<Expansion>& expansion, gpu::Device& device, ExpansionStrategy strategy,
                       const ExpansionDemand& demand, std::uint64_t most_entries) {
    if (expansion && expansion->strategy() == strategy && expansion->most_entries() == most_entries) return;
    auto made = std::make_unique<Expansion>(
        device, Expansion::Options{.strategy = strategy, .demand = demand, .most_entries = most_entries});
    if (expansion) device.retire(std::move(expansion));
    expansion = std::move(made);
}

}  // namespace sublet::render
