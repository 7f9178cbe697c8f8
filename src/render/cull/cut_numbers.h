// Numbers of the meshlets that a frame may draw (shaders/backends/raster_numbers.glsl), made once for all its phases.
#pragma once

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/resources.h"
#include "render/expansion/scan.h"
#include "render/view/view_context.h"

namespace sublet::render {

class CutNumbers {
  public:
    // For a scene's instances. Waits for the device. Throws Error where it can't bind 8 bytes for each.
    CutNumbers(gpu::Device& device, const GpuScene& scene);

    // Whether it has room for just as many instances.
    [[nodiscard]] bool fits(const GpuScene& scene) const;
    // For the pass that counts (cull/meshlets.h), and for those that read numbers.
    [[nodiscard]] gpu::Descriptor descriptor() const;
    // Makes numbers of counts. Before: those are visible to compute shaders. After: so are the numbers.
    void record(const ViewContext& context) const;
    // What record() takes.
    static void add_pipelines(const gpu::Capabilities& capabilities, const GpuScene& scene, gpu::PipelineList& out);
    [[nodiscard]] std::uint64_t bytes() const { return numbers_.size() + workspace_.size(); }

  private:
    gpu::Buffer numbers_;
    Scan scan_;
    gpu::Buffer workspace_;
};

}  // namespace sublet::render
