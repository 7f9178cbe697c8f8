// Reads: channels and chains of what moves. Writes: transforms, flags and scales of the instances that do; materials,
// transforms of textures and lights that are played.
#pragma once

#include <vector>

#include "gpu/pipelines.h"
#include "render/passes/frame_context.h"
#include "render/scene/gpu_scene.h"
#include "scene/animation.h"

namespace sublet::render {

// Where each animation that plays is within its loop, in seconds.
[[nodiscard]] std::vector<float> animation_times(const GpuScene& scene, const scene::AnimationTimes& times);

// Where a pose goes.
struct PoseTarget {
    const gpu::Buffer* instances = nullptr;  // those of the scene, or a copy of them
    std::uint32_t behind = 0;                // how far behind that of the scene its pose lies in SceneDeform::vectors
    bool with_looks = false;                 // visibility of instances, materials and lights: they are the scene's own
};

// Records the dispatches that place what moves: `times` is all that the CPU writes. What was recorded before may still
// read the target, what is recorded after reads what is placed. The scene must have something that moves.
void record_pose(const FrameContext& context, const GpuScene& scene, const std::vector<float>& times,
                 const PoseTarget& target);

// That as pass "animate", for the scene itself.
void record_animate(const FrameContext& context, const GpuScene& scene, const std::vector<float>& times);

// Pipelines of that, where something moves.
void add_animate_pipelines(const GpuScene& scene, gpu::PipelineList& out);

}  // namespace sublet::render
