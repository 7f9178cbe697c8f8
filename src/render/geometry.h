// Geometry of a view: culled and drawn into the targets of an output, all at once, or in two phases with the pyramid
// between them.
#pragma once

#include "render/backends/backend.h"
#include "render/scene/deform.h"
#include "render/view/view_context.h"

namespace sublet::render {

// Deforms what the view needs, culls and draws. The targets are then closed, for shaders to read.
CpuCounters draw_geometry(const ViewContext& context, BackendBase& backend, DeformPass& deform);

// What two phases keep bits of.
[[nodiscard]] OcclusionDetail kept_detail(const FramePlan& plan);

// The pipelines of draw_geometry() into such an output, but for what deforms.
void add_geometry_pipelines(const gpu::Capabilities& capabilities, const BackendBase& backend, const GpuScene& scene,
                            const FramePlan& plan, const Output& output, gpu::PipelineList& out);

}  // namespace sublet::render
