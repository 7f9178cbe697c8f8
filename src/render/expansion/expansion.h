// Work expansion: sources (instances) with a number of items (meshlets) each become a dispatch with a lane for each
// item. What goes on in shaders is in shaders/expansion/; this is what they write to and what is recorded around them:
//
//   record_resets -> the pass that pushes -> record_pushed -> the pass that pops, dispatched by record_dispatch
//
// The lists are as long as the sources may ever need, so nothing overflows; what would not fit all the same is dropped,
// and ExpansionState::overflow counts it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/generated_commands.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/expansion/scan.h"
#include "render/settings/expansion_strategy.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/expansion.h"

namespace sublet::render {

class Expansion {
  public:
    struct Options {
        ExpansionStrategy strategy = ExpansionStrategy::kTaskList;
        ExpansionDemand demand;
        std::uint32_t group_items = 128;  // lanes of the consumer's workgroups, at most 128
        // Entries of the list (of each bucket) at most, however many the demand needs: for tests of the overflow.
        std::uint64_t most_entries = ~std::uint64_t{0};
    };

    // Throws Error with the reason when the strategy is unavailable.
    Expansion(gpu::Device& device, const Options& options);

    [[nodiscard]] ExpansionStrategy strategy() const { return strategy_; }
    [[nodiscard]] std::uint64_t most_entries() const { return most_entries_; }

    // It has a state for each of kPhases, numbers `phase` below: all are made ready at a frame's start, at once.
    static constexpr std::size_t kPhases = 3;

    // Makes all states ready, for passes after a barrier from transfer writes. What read them before must be over, by a
    // barrier to transfer writes.
    void record_resets(gpu::Commands commands) const;
    // After the pass that pushed, with all barriers that its pushes need. Pops may follow at once.
    // `scan_pass`: the name of the pass that the scan strategy has here.
    void record_pushed(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines,
                       const char* scan_pass) const;
    // Dispatches the consumer, whose pipeline, push constants and descriptors are bound. Those constants are undefined
    // afterwards.
    void record_dispatch(gpu::Commands commands, const gpu::Pipeline& consumer, std::size_t phase) const;

    // Workgroups of the consumer, at most, those without an item in its last row too.
    [[nodiscard]] std::uint32_t most_groups() const { return most_groups_; }

    // For both shaders.
    [[nodiscard]] gpu::Descriptor state(std::size_t phase) const {
        return gpu::buffer_at(shared::kBindExpansionState, states_[phase]);
    }
    [[nodiscard]] gpu::Descriptor list() const { return gpu::buffer_at(shared::kBindExpansionList, list_); }
    [[nodiscard]] const gpu::Buffer& state_buffer(std::size_t phase) const { return states_[phase]; }

    // VRAM.
    [[nodiscard]] std::uint64_t bytes() const {
        return kPhases * states_[0].size() + list_.size() + (workspace_ ? workspace_.size() : 0) +
               (sequences_ ? sequences_->bytes() : 0);
    }

  private:
    ExpansionStrategy strategy_;
    std::uint64_t most_entries_;
    shared::ExpansionState initial_{};
    std::uint32_t most_groups_ = 0;
    std::uint32_t direct_groups_ = 0;  // of a consumer that needs no counts; 0: dispatched indirectly
    std::array<gpu::Buffer, kPhases> states_;
    gpu::Buffer list_;
    std::optional<Scan> scan_;
    std::unique_ptr<gpu::GeneratedCommands> sequences_;  // of kGenerated
    gpu::Buffer workspace_;
};

// What record_pushed() takes.
void add_expansion_pipelines(const gpu::Capabilities& capabilities, ExpansionStrategy strategy,
                             const ExpansionDemand& demand, gpu::PipelineList& out);

// Sees to it that `expansion` has this strategy and this room (Options::most_entries) for this demand: makes it anew,
// retiring what there was, when either differs. A new demand needs `expansion` empty.
void prepare_expansion(std::unique_ptr<Expansion>& expansion, gpu::Device& device, ExpansionStrategy strategy,
                       const ExpansionDemand& demand, std::uint64_t most_entries);

}  // namespace sublet::render
