// Temporal antialiasing: each frame looks through another part of the pixels, and is blended with those before it.
#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "gpu/pipelines.h"
#include "gpu/resources.h"
#include "render/settings/frame_plan.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// Frames go round so many of the first samples of sample_shift().
inline constexpr std::uint32_t kJitters = 16;

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
