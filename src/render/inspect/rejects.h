// What culling rejects and what it leaves, a sublet at a time, whatever the backend lists: verdicts of the tests,
// drawn. Recorded only while such a view is shown.
#pragma once

#include <span>

#include "gpu/descriptors.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/view/view_state.h"

namespace sublet::render {

// What passes behind a view's geometry are recorded with.
struct InspectContext {
    gpu::Frame& frame;
    gpu::Profiler& profiler;
    gpu::Pipelines& pipelines;
    const GpuScene& scene;
    const FramePlan& plan;
    std::span<const gpu::Descriptor> scene_set;  // scene_descriptors()
    ViewState& view;
};

// Before "shade". Pass "verdicts": asks each test of the camera that culls about each sublet, for Show::kOverdraw and
// kCulled. Pass "overdraw": counts the triangles of each pixel that no test rejects, ready to be read by compute.
void record_verdicts(const InspectContext& context);

// After "shade", for Show::kCulled. Pass "culled": draws what some test rejects over the picture. From
// TRANSFER_SRC_OPTIMAL to that.
void record_culled(const InspectContext& context);

void add_rejects_pipelines(const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
