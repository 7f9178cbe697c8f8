#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gpu/pipeline.h"

namespace sublet::gpu {

// Pipelines by their descriptions: each is made when it is first asked for, and kept.
class Pipelines {
  public:
    explicit Pipelines(Device& device) : device_(device) {}

    // The reference stays good as long as this lives. Throws what Pipeline's constructor does.
    const Pipeline& get(const ComputePipelineDesc& desc);
    const Pipeline& get(const GraphicsPipelineDesc& desc);

  private:
    using Key = std::vector<std::uint64_t>;  // all of a description but its name

    Device& device_;
    std::map<Key, Pipeline> pipelines_;
};

}  // namespace sublet::gpu
