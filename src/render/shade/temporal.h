// Temporal antialiasing: each frame looks through another part of the pixels, and is blended with those before it.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/settings/frame_plan.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// The View::shift of a frame that is blended with those before it, in a picture of this size in pixels: round the first
// 32 points of Halton's sequence. However many of the last frames are taken, their mean is near the pixel's middle.
[[nodiscard]] glm::vec2 jitter_shift(std::uint32_t frame, const glm::uvec2& size);

class TemporalPass {
  public:
    explicit TemporalPass(gpu::Device& device);

    // Pass "temporal", behind "shade", where FramePlan::taa: blends PictureState::color with the history, which goes
    // by PictureState::motion, and leaves it as "shade" does. Where frames are averaged (View::averaged) the history
    // takes this one in and the picture stays what it is.
    void record(const ViewContext& context, PictureState& picture) const;
    static void add_pipelines(const FramePlan& plan, gpu::PipelineList& out);

  private:
    gpu::Sampler linear_;
};

}  // namespace sublet::render
