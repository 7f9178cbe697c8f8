// Ambient occlusion: what nearby surfaces take of the light from all around.
#pragma once

#include "gpu/pipelines.h"
#include "render/settings/frame_plan.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// Pass "ambient occlusion", before "shade", where there is PictureState::ambient: fills that from the depths of what
// hides all that lies behind it. Reads: the view's targets, closed.
void record_ambient(const ViewContext& context, const PictureState& picture);
void add_ambient_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
