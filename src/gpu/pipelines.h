#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "gpu/pipeline.h"

namespace sublet::gpu {

// Descriptions of pipelines that will be wanted.
struct PipelineList {
    std::vector<ComputePipelineDesc> compute;
    std::vector<GraphicsPipelineDesc> graphics;

    void add(ComputePipelineDesc desc) { compute.push_back(std::move(desc)); }
    void add(GraphicsPipelineDesc desc) { graphics.push_back(std::move(desc)); }
};

// Pipelines by their descriptions: each is made when it is first asked for, and kept.
class Pipelines {
  public:
    explicit Pipelines(Device& device) : device_(device) {}

    // Values that all pipelines get from now on, in every shader, beside their own.
    void specialize(std::vector<Specialization> everywhere) { everywhere_ = std::move(everywhere); }

    // The reference stays good as long as this lives. Throws what Pipeline's constructor does.
    const Pipeline& get(const ComputePipelineDesc& desc);
    const Pipeline& get(const GraphicsPipelineDesc& desc);

    // Makes those that there are not yet, several at once where the machine has cores for it. Shows its progress on a
    // terminal. Throws what Pipeline's constructor does; those made until then are kept.
    void prepare(const PipelineList& list);

  private:
    using Key = std::vector<std::uint64_t>;  // all of a description but its name

    // A description with the values that all have.
    [[nodiscard]] ComputePipelineDesc complete(ComputePipelineDesc desc) const;
    [[nodiscard]] GraphicsPipelineDesc complete(GraphicsPipelineDesc desc) const;

    Device& device_;
    std::vector<Specialization> everywhere_;
    std::map<Key, Pipeline> pipelines_;
};

}  // namespace sublet::gpu
