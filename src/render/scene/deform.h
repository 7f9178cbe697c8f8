// Reads: the matrices of joints, decoded vertices. Writes: deformed vertices; bounds and mesh headers of what deforms.
#pragma once

#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// Records pass "deform", two dispatches: vertices and the bounds of sublets and meshlets, then the bounds of meshes.
// After record_animate(); what is recorded after reads what it writes. The scene must have something that deforms.
// `keep_bounds`: vertices alone, a mistake.
void record_deform(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                   bool keep_bounds = false);

// Pipelines of that, where something deforms.
void add_deform_pipelines(const GpuScene& scene, gpu::PipelineList& out);

}  // namespace sublet::render
