// What culling has not done when the last round that was recorded is over, drawn without lists.
#pragma once

#include "gpu/pipeline.h"
#include "render/cull/phase.h"

namespace sublet::render {

// Pass "draw the rest", of the backends that draw by graphics pipelines: draws all sublets of the scene, should there
// be a rest, and nothing otherwise. After the last round, where the plan of survivors may take more.
void draw_rest(const PhaseContext& context);

// The pipeline of that, where it may be needed.
void add_rest_pipeline(const PhasePlan& phase, gpu::PipelineList& out);

}  // namespace sublet::render
