// What a view is drawn by. Pipelines follow from it, and whatever else is known before a frame is recorded.
#pragma once

#include "render/scene/gpu_scene.h"
#include "render/scene/survivor_plan.h"
#include "render/settings/frame_plan.h"
#include "render/view/output.h"

namespace sublet::render {

struct ViewPlan {
    const GpuScene& scene;
    const FramePlan& plan;
    const Output& output;
    SurvivorPlan survivors = {};  // BackendBase::survivors()
};

}  // namespace sublet::render
