// Holds what the compute rasteriser drew to what a graphics pipeline did. Reads: both pictures, the scene. Writes: a
// verdict for each pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/scene/gpu_scene.h"
#include "render/view/output.h"

namespace sublet::render {

class RasterDifferencePass {
  public:
    RasterDifferencePass(gpu::Device& device, gpu::Pipelines& pipelines);

    // Of each pixel, row by row, shared::kRaster...: how `drawn`, by the rasteriser, differs from `reference`,
    // which draws with another backend left, closed. `snap`: pixels that an edge may lie elsewhere
    // on the device. Submits and waits.
    [[nodiscard]] std::vector<std::uint32_t> run(const GpuScene& scene, const gpu::Buffer& frame_data,
                                                 const Targets& drawn, const Targets& reference, float snap);

  private:
    gpu::Device& device_;
    gpu::Pipelines& pipelines_;
    gpu::Sampler sampler_;
};

}  // namespace sublet::render
