// How far what is seen has moved since the last frame, for Show::kMotion and for temporal antialiasing. Recorded only
// while one of these is on: the pose of the last frame is then made anew, from its times.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/device.h"
#include "gpu/resources.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

class MotionPass {
  public:
    explicit MotionPass(gpu::Device& device) : device_(device) {}

    // Before "shade", where wants_motion(). Pass "motion": from the view's targets, closed, to
    // PictureState::motion, ready to be read by compute. `times_before`: animation_times() of the last frame. In the
    // first frame of a view nothing has moved but what animations move.
    void record(const ViewContext& context, const PictureState& picture, const std::vector<float>& times_before);
    // VRAM bytes.
    [[nodiscard]] std::uint64_t bytes() const { return instances_ ? instances_.size() : 0; }

  private:
    gpu::Device& device_;
    gpu::Buffer instances_;  // of the last frame
};

void add_motion_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
