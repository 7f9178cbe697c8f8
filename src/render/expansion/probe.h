// An expansion alone, between two small shaders (shaders/expansion/probe_*.comp): what tests and `bench --micro
// expansion` run.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/pipelines.h"
#include "render/expansion/expansion.h"

namespace sublet::render {

class ExpansionProbe {
  public:
    struct Options {
        ExpansionStrategy strategy = ExpansionStrategy::kTaskList;
        // A bit for each item popped, and what is wrong with it; else only a consumer that does nothing.
        bool record = true;
        std::uint64_t most_entries = ~std::uint64_t{0};  // Expansion::Options
    };

    // `counts`: items of each source, pushed each time. Throws Error as Expansion does, and when the items to be
    // recorded do not fit in one buffer.
    ExpansionProbe(gpu::Device& device, const std::vector<std::uint32_t>& counts, const Options& options);

    // Resets, pushes, and pops. What ran before must be over, and what runs after must wait.
    void record(gpu::Frame& frame, gpu::Profiler& profiler) const;

    // After all earlier work, which it waits for: what the consumer found, and (bit by bit, 32 in a word) the items it
    // popped, those of the first source first.
    [[nodiscard]] shared::ExpansionProbeResult result(gpu::Device& device) const;
    [[nodiscard]] std::vector<std::uint32_t> seen(gpu::Device& device) const;

    [[nodiscard]] const Expansion& expansion() const { return expansion_; }

  private:
    Expansion expansion_;
    std::uint32_t sources_ = 0;
    std::unique_ptr<gpu::Pipelines> pipelines_;  // of the expansion
    gpu::Pipeline push_, pop_;
    gpu::Buffer source_data_, result_, seen_;
};

// What the counts may need.
[[nodiscard]] ExpansionDemand expansion_demand(const std::vector<std::uint32_t>& counts);

}  // namespace sublet::render
