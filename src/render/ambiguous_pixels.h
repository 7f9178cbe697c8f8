// Counts the pixels where two correct pictures may differ: depth ties, and faces that snapping to subpixels turned.
// Reads: decoded vertices, 32-bit indices, a finished depth image. Writes: two counts per pixel.
#pragma once

#include "gpu/device.h"
#include "render/backends/backend.h"
#include "render/renderer.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

class AmbiguousPixelsPass {
  public:
    explicit AmbiguousPixelsPass(gpu::Device& device);

    // Draws all of `scene` again at equal depth over `depth` (in DEPTH_ATTACHMENT_OPTIMAL, as the direct backend left
    // it with all culling off). `indices`: 32-bit. Submits, waits and reads the counts back.
    [[nodiscard]] AmbiguousPixels run(const GpuScene& scene, const gpu::Buffer& indices, const gpu::Buffer& frame_data,
                                      const gpu::Image& depth);

  private:
    gpu::Device& device_;
    gpu::Pipeline pipeline_;
};

}  // namespace sublet::render
