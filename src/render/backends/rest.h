// Tasks drawn without lists, all of an instance or of the scene: of what culling has not done when the last round
// that was recorded is over, and of direct draws where the GPU alone knows the cut.
#pragma once

#include <cstdint>
#include <functional>

#include "gpu/pipeline.h"
#include "render/cull/phase.h"

namespace sublet::render {

// Pass "draw the rest", of the backends that draw by graphics pipelines: draws all tasks of the scene, should there
// be a rest, and nothing otherwise. After the last round, where one may not be enough.
void draw_rest(const PhaseContext& context);

// Pass "clear layers", of what the frame before left. What it writes waits for the caller's barrier.
void clear_layers(const ViewContext& context);
// The same, before the rest of what blends is drawn: should there be one, what is drawn already would go to its layers
// twice. After the last round, where one may not be enough.
void clear_layers_for_rest(const PhaseContext& context);
void add_clear_layers_pipeline(const FramePlan& plan, bool for_rest, gpu::PipelineList& out);

// The pipelines of draw_rest(), where it may be needed.
void add_rest_pipeline(const PhasePlan& phase, gpu::PipelineList& out);

// `draw` records draws for a class: kTaskVertices, an instance for each task, by its number over all instances. Of
// those only sublets of the class are drawn, and of the cut.
void draw_tasks(const PhaseContext& context, const PerClass<std::uint32_t>& counts,
                const std::function<void(gpu::Commands, std::uint32_t)>& draw);

// The pipeline of that.
void add_tasks_pipeline(const PhasePlan& phase, gpu::PipelineList& out);

}  // namespace sublet::render
