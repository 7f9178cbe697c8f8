// What passes read while they record their part of a frame, and what they say of it.
#pragma once

#include <string>

#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/scene/decode.h"
#include "render/scene/gpu_scene.h"
#include "render/settings/frame_plan.h"
#include "render/settings/test_hooks.h"
#include "render/view/camera.h"
#include "render/view/output.h"
#include "render/view/visibility.h"

namespace sublet::render {

inline constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM;  // of the picture, sRGB-encoded values

// What the CPU knows of a frame it recorded; the GPU's counters are added to it.
struct CpuCounters {
    std::uint32_t rounds = 1;          // of culling and drawing
    std::uint64_t compact_budget = 0;  // that a compute pass went by which culls triangles; 0: there was none
    std::uint64_t instances_visible = 0;
    std::uint64_t primitives_tested = 0, primitives_drawn = 0;
};

// What a backend is told before a frame's phases.
struct FrameContext {
    gpu::Frame& frame;
    const GpuScene& scene;
    const FramePlan& plan;
    const TestHooks& hooks;
};

struct RecordContext {
    gpu::Device& device;
    gpu::Frame& frame;
    gpu::Profiler& profiler;
    gpu::Pipelines& pipelines;
    const DecodePass& decode;
    const GpuScene& scene;
    const FramePlan& plan;
    const VisibilityOutput& output;
    const Targets& targets;
    const View& cull_view;
    const gpu::Buffer& frame_data;  // FrameData
    const gpu::Buffer& cull_state;  // CullState of this phase, reset
    CullPhase phase;
    PhaseBuffers phase_buffers;

    // Whether bits of single triangles go with this phase, for passes that cull them in compute.
    [[nodiscard]] bool primitive_bits() const {
        return phase != CullPhase::kOnly && phase_buffers.primitive_bits &&
               plan.occlusion_detail == OcclusionDetail::kPrimitives;
    }
    // The first draw of the frame: it clears.
    [[nodiscard]] bool first_draw() const { return phase != CullPhase::kSecond; }
    // A pass, named with its phase where there are two.
    [[nodiscard]] gpu::Profiler::Pass pass(const char* name) const {
        return profiler.pass(frame.commands, pass_name(name).c_str());
    }
    [[nodiscard]] std::string pass_name(const char* name) const {
        return std::string(name) + (phase == CullPhase::kFirst ? " 1" : phase == CullPhase::kSecond ? " 2" : "");
    }
};

// Specializations of phases.glsl.
[[nodiscard]] inline gpu::Specialization phase_constant(CullPhase phase) {
    return {5, static_cast<std::uint32_t>(phase)};
}
[[nodiscard]] inline gpu::Specialization primitive_bits_constant(bool primitive_bits) {
    return {6, primitive_bits ? 1U : 0U};
}

}  // namespace sublet::render
