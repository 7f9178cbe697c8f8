// What culling rejects and what it leaves, a sublet at a time, whatever the backend lists: verdicts of the tests,
// drawn. Recorded only while such a view is shown.
#pragma once

#include "gpu/pipelines.h"
#include "render/view/picture_state.h"
#include "render/view/view_context.h"

namespace sublet::render {

// Before "shade". Pass "verdicts": asks each test of the camera that culls about each sublet, for Show::kOverdraw and
// kCulled. Pass "overdraw": counts the triangles of each pixel that no test rejects, ready to be read by compute.
void record_verdicts(const ViewContext& context, const PictureState& picture);

// After "shade", for Show::kCulled. Pass "culled": draws what some test rejects over the picture. From
// TRANSFER_SRC_OPTIMAL to that.
void record_culled(const ViewContext& context, const PictureState& picture);

void add_rejects_pipelines(const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
