// Lines over the picture: bounds, joints, and the frozen camera's frustum.
#pragma once

#include "gpu/pipelines.h"
#include "render/view/inspection.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// Pass "overlay", after all else: what the plan asks for, over a picture in TRANSFER_SRC_OPTIMAL. Faint where the
// picture shows something nearer. Nothing is recorded where there is nothing to draw.
void record_overlay(const ViewContext& context, const PictureState& picture, const Inspection& inspection);

void add_overlay_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
