// What passes read while they record their part of a frame, and what they say of it.
#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "gpu/descriptors.h"
#include "gpu/device.h"
#include "gpu/frame.h"
#include "gpu/pipelines.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/passes/passes.h"
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
    std::uint64_t compact_budget = 0;  // that a compute pass went by which culls triangles; 0: there was none
    // Of draws without any culling on the GPU: the instances drawn, and what they consist of.
    std::uint64_t instances_visible = 0, meshlets = 0, sublets = 0, primitives_drawn = 0;
};

// What a backend is told before a frame's phases.
struct FrameContext {
    gpu::Frame& frame;
    const GpuScene& scene;
    const FramePlan& plan;
    const SurvivorPlan& survivors;  // BackendBase::survivors()
    const TestHooks& hooks;
};

// "cull meshlets 1": a pass with its phase, where there are two.
[[nodiscard]] std::string phase_name(const char* pass, CullPhase phase);

// What a phase of a frame is drawn by: pipelines follow from it.
struct PhasePlan {
    const FramePlan& plan;
    const GpuScene& scene;
    const VisibilityOutput& output;
    const SurvivorPlan& survivors;
    CullPhase phase = CullPhase::kOnly;
    OcclusionDetail detail = OcclusionDetail::kMeshlets;  // what bits are kept of

    // What a pipeline of this phase alone is called.
    [[nodiscard]] std::string named(const char* pass) const { return phase_name(pass, phase); }
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
    const std::vector<gpu::Descriptor>& scene_set;  // scene_descriptors()
    const SurvivorPlan& survivors;                  // BackendBase::survivors()
    const gpu::Buffer& cull_states;                 // of this phase, reset: a CullState for each round
    std::uint32_t rounds;                           // to be recorded
    CullPhase phase;
    PhaseBuffers phase_buffers;
    std::uint32_t round = 0;  // that is being recorded

    [[nodiscard]] PhasePlan phase_plan() const {
        return {plan,      scene, output,
                survivors, phase, phase == CullPhase::kOnly ? OcclusionDetail::kMeshlets : phase_buffers.detail};
    }
    // The first draw of the frame: it clears.
    [[nodiscard]] bool first_draw() const { return phase != CullPhase::kSecond && round == 0; }
    // Where something that lies at `offset` of a CullState is for this round.
    [[nodiscard]] VkDeviceSize in_state(VkDeviceSize offset) const {
        return VkDeviceSize{round} * sizeof(shared::CullState) + offset;
    }
    // The CullState of a round, for a shader.
    [[nodiscard]] gpu::Descriptor state_of(std::uint32_t binding, std::uint32_t of_round) const {
        return gpu::buffer_at(binding, cull_states, VkDeviceSize{of_round} * sizeof(shared::CullState),
                              sizeof(shared::CullState));
    }
    // Records `record_round` for each round, with a debug label around it where there are several. Between them what
    // draws reads the lists, and the next round writes them.
    template <class Record>
    void for_each_round(const Record& record_round) {
        for (round = 0; round < rounds; ++round) {
            if (round != 0) order_rounds();
            std::optional<gpu::DebugLabel> label;
            if (rounds > 1) label.emplace(device, frame.commands, ("round " + std::to_string(round + 1)).c_str());
            record_round();
        }
        round = rounds - 1;
    }
    void order_rounds() const;
    // A pass, named with its phase where there are two.
    [[nodiscard]] gpu::Profiler::Pass pass(const char* name) const {
        return profiler.pass(frame.commands, pass_name(name).c_str());
    }
    [[nodiscard]] std::string pass_name(const char* name) const { return phase_name(name, phase); }
    // Binds the pipeline and its sets: the scene's, and of set kPassSet what belongs to the phase, and `own`.
    void bind(const gpu::Pipeline& pipeline, std::initializer_list<gpu::Descriptor> own) const;
};

// A compute pass, while it lives: its label and its time. What its shaders write is visible to indirect commands,
// indices and shaders once it is over, by one barrier.
class ComputePass {
  public:
    ComputePass(const RecordContext& context, const char* name) : context_(context), pass_(context.pass(name)) {}
    ~ComputePass();
    ComputePass(const ComputePass&) = delete;
    ComputePass& operator=(const ComputePass&) = delete;

  private:
    const RecordContext& context_;
    gpu::Profiler::Pass pass_;
};

// Draws one class by the pipeline that is bound.
using DrawClass = std::function<void(const gpu::Pipeline& pipeline, std::uint32_t draw_class)>;

// Draws into the phase's targets by `stages`: `draw` once for each draw class of which `counts` has something, with a
// debug label of the class around it. What is tested for alpha has a pipeline of its own.
// `clear`: the first draw of a frame. `own`: as for RecordContext::bind().
void draw_classes(const RecordContext& context, bool clear, const GeometryStages& stages,
                  std::initializer_list<gpu::Descriptor> own, const PerClass<std::uint32_t>& counts,
                  const DrawClass& draw);

// Specializations of cull/phases.glsl.
[[nodiscard]] gpu::Specialization phase_constant(const PhasePlan& phase);
[[nodiscard]] gpu::Specialization primitive_bits_constant(const PhasePlan& phase);

}  // namespace sublet::render
