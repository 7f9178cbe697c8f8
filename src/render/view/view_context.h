// What passes of a view are recorded with.
#pragma once

#include <vector>

#include "render/passes/frame_context.h"
#include "render/view/geometry_state.h"
#include "render/view/view_plan.h"

namespace sublet::render {

struct ViewContext : FrameContext, ViewPlan {
    GeometryState& geometry;  // of which this frame was begun

    // Binds the pipeline of a description, the scene, and as set kPassSet what the pass reads and writes.
    template <class PipelineDesc>
    const gpu::Pipeline& bind(const PipelineDesc& desc, const std::vector<gpu::Descriptor>& pass_set) const {
        return FrameContext::bind(desc, geometry.scene_set, pass_set);
    }
};

}  // namespace sublet::render
