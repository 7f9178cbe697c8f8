// Numbers of the meshlets that a frame may draw (shaders/cull/cut_numbers.glsl), made once for all phases of a frame.
#pragma once

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/expansion/scan.h"
#include "render/view/view_context.h"

namespace sublet::render {

class CutNumbers {
  public:
    CutNumbers(gpu::Device& device, const GpuScene& scene);

    [[nodiscard]] bool fits(const GpuScene& scene) const;
    // Passes "cut numbers" and "scan cut numbers". Before: what shaders read of the frame is there, and earlier uses of
    // the buffer are done. After: it is visible to shaders.
    void record(const ViewContext& context) const;
    [[nodiscard]] gpu::Descriptor descriptor() const;
    [[nodiscard]] std::uint64_t bytes() const { return numbers_.size() + workspace_.size(); }

    static void add_pipelines(gpu::PipelineList& out);

  private:
    gpu::Buffer numbers_;
    Scan scan_;
    gpu::Buffer workspace_;
};

}  // namespace sublet::render
