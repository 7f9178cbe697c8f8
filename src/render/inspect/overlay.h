// Lines over the picture: bounds, joints, and the frozen camera's frustum.
#pragma once

#include "gpu/pipelines.h"
#include "render/inspect/rejects.h"
#include "render/view/camera.h"
#include "render/view/inspection.h"

namespace sublet::render {

// Pass "overlay", after all else: what the plan asks for, over a picture in TRANSFER_SRC_OPTIMAL. Faint where the
// picture shows something nearer. Nothing is recorded where there is nothing to draw. `frozen`: the camera that culls,
// once it is; else null.
void record_overlay(const InspectContext& context, const Inspection& inspection, const View* frozen);

void add_overlay_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
