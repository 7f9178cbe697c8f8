// Of the compute rasteriser's pixels in scenes with wide ids: which triangle each shows. Reads: Targets::pixels, where
// all phases have drawn. Writes: Targets::wide_ids.
#pragma once

#include <span>

#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/view/output.h"

namespace sublet::render {

// Pass "raster wide ids", where the targets have wide ids; else nothing. `scene_set`: scene_descriptors(). What it
// writes is not yet visible to those that read it.
void record_raster_wide_ids(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines,
                            const GpuScene& scene, const FramePlan& plan, std::span<const gpu::Descriptor> scene_set,
                            const Targets& targets);

// The pipeline of that, likewise.
void add_raster_wide_ids_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out);

}  // namespace sublet::render
