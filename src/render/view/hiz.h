// Reads: a reversed-Z depth image. Writes: the HiZ pyramid, in one dispatch.
#pragma once

#include <cstdint>
#include <limits>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "render/passes/frame_context.h"
#include "render/view/hiz_layout.h"

namespace sublet::render {

// The farthest depths of a depth image at every resolution down to 1x1 (hiz_layout.h), for occlusion tests
// (view/occlusion.glsl). One for each view that culls. Move-only.
class Hiz {
  public:
    struct Options {
        // Use subgroup operations where the device has them. Not the default: shared memory alone was the faster on the
        // one GPU that ran both (docs/BENCHMARKS.md).
        bool subgroups = false;
        std::uint32_t pixel_words = 0;  // it reads words of the compute rasteriser, so many a pixel; 0: an image
        std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();  // of the pyramid; the device's limit too
    };

    explicit Hiz(gpu::Device& device) : Hiz(device, Options{}) {}
    Hiz(gpu::Device& device, const Options& options);

    // Makes the pyramid's buffers for a depth image of this size, in pixels (1 to kHizMaxSize); nothing when it has it
    // already. What the pyramid held is lost, and undefined until record(), before which a barrier has to order what
    // this records: a transfer. Throws Error on a size out of range.
    void resize(gpu::Commands commands, VkExtent2D extent);

    // Pass "hiz": fills the pyramid from `depth`, a kDepthFormat image of one mip and layer with sampled usage,
    // whose size it has. Outside of rendering. `group_tiling`: columns of tiles in a strip of
    // its workgroups (thread_group_tiling.glsl), 0: off.
    //
    // Expects the image in DEPTH_ATTACHMENT_OPTIMAL, written by draws before; it is read in DEPTH_READ_ONLY_OPTIMAL and
    // left in DEPTH_ATTACHMENT_OPTIMAL. Shader reads of an earlier pyramid are waited for. It stands between the two
    // phases of a frame: passes after it may read the pyramid, draw over what was drawn, and overwrite what draws read.
    void record(const FrameContext& context, const gpu::Image& depth, std::uint32_t group_tiling = 0);

    // The same from what the compute rasteriser wrote (Options::pixel_words).
    void record(const FrameContext& context, const gpu::Buffer& pixels, std::uint32_t group_tiling = 0);

    // The pipeline of such a pyramid.
    static void add_pipelines(const gpu::Capabilities& capabilities, const Options& options, gpu::PipelineList& out);

    // hiz_float_count(layout()) floats; empty before the first resize().
    [[nodiscard]] const gpu::Buffer& pyramid() const { return pyramid_; }
    [[nodiscard]] const shared::HizLayout& layout() const { return layout_; }
    // VRAM bytes.
    [[nodiscard]] std::uint64_t bytes() const { return pyramid_.size() + state_.size(); }

  private:
    void dispatch(const FrameContext& context, const gpu::Buffer& pixels, const gpu::Image& depth,
                  std::uint32_t group_tiling) const;

    gpu::Device& device_;
    Options options_;
    gpu::Sampler sampler_;
    gpu::Buffer pyramid_;
    gpu::Image no_depth_;  // where pixels are read
    gpu::Buffer state_;    // counters and results between rounds: hiz.comp
    shared::HizLayout layout_{};
};

}  // namespace sublet::render
