// Counts the pixels where two correct pictures may differ: depth ties, and faces that snapping to subpixels turned.
// Reads: decoded vertices, 32-bit indices, a finished depth image. Writes: two counts per pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "render/measure/verdict.h"
#include "render/scene/gpu_scene.h"
#include "render/view/output.h"

namespace sublet::render {

class AmbiguousPixelsPass {
  public:
    AmbiguousPixelsPass(gpu::Device& device, gpu::Pipelines& pipelines);

    // Draws all of `scene` again at equal depth over `targets` (closed, as the direct backend left them with all
    // culling off). `indices`: 32-bit. Submits, waits and reads the counts back.
    [[nodiscard]] AmbiguousPixels run(const GpuScene& scene, const gpu::Buffer& indices, const gpu::Buffer& frame_data,
                                      const Targets& targets);

  private:
    // Adds those of one layer: of transmissive surfaces, or of all others.
    void add_layer(const GpuScene& scene, const gpu::Buffer& indices, const gpu::Buffer& frame_data,
                   const gpu::Image& depth, bool transmissive, std::vector<std::uint8_t>& mask);

    gpu::Device& device_;
    gpu::Pipelines& pipelines_;
};

}  // namespace sublet::render
