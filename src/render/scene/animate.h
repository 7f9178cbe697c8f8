// Reads: channels and chains of what moves. Writes: transforms, flags and scales of the instances that do.
#pragma once

#include <optional>
#include <vector>

#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/test_hooks.h"

namespace sublet::render {

// Where each animation of the scene is, in seconds.
[[nodiscard]] std::vector<float> animation_times(const GpuScene& scene, double time);

// Records pass "animate", two dispatches: `times` is all that the CPU writes. What was recorded before may still read
// the instances, what is recorded after reads these. The scene must have something that moves.
void record_animate(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                    const std::vector<float>& times, Fault fault);

// Pipelines of that, where something moves.
void add_animate_pipelines(const GpuScene& scene, gpu::PipelineList& out);

}  // namespace sublet::render
