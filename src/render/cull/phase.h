// A phase of a view's culling and drawing: what its passes are made by, and what they are recorded with.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "render/passes/passes.h"
#include "render/view/view_context.h"
#include "render/view/visibility.h"
#include "shaders/shared/counters.h"

namespace sublet::render {

// Of levels of detail, of the instances drawn.
struct CpuLevels {
    std::uint64_t all_meshlets = 0;                                       // of every level
    std::uint64_t finest_triangles = 0;                                   // of the finest level
    std::uint64_t cut_triangles = 0;                                      // of the meshlets of the cuts
    std::array<std::uint64_t, shared::kCountedLevels> drawn_triangles{};  // by level; the last: all coarser, too
};

// What the CPU knows of a frame it recorded; the GPU's counters are added to it.
struct CpuCounters {
    std::uint64_t compact_budget = 0;  // that a compute pass went by which culls triangles; 0: there was none
    // Of draws without any culling on the GPU: the instances drawn, and what they consist of.
    std::uint64_t instances_visible = 0, meshlets = 0, sublets = 0, primitives_drawn = 0;
    bool selects_meshlets = false;  // meshlets of these were tested, and so many rejected
    std::uint64_t meshlets_outside = 0, meshlets_facing_away = 0;
    std::optional<CpuLevels> levels = {};  // where levels of detail are chosen; nothing where some move: the GPU knows

    // Adds what another phase of the same frame drew.
    void add(const CpuCounters& other);
};

// "cull meshlets 1": a pass with its phase, where there are two.
[[nodiscard]] std::string phase_name(const char* pass, CullPhase phase);

// What a phase of a frame is drawn by: pipelines follow from it.
struct PhasePlan : ViewPlan {
    CullPhase phase = CullPhase::kOnly;
    OcclusionDetail detail = OcclusionDetail::kMeshlets;  // what bits are kept of

    // The pipelines of draws by these stages.
    void add_draws(const GeometryStages& stages, gpu::PipelineList& out) const {
        output.add_pipelines(stages, phase == CullPhase::kBlended, out);
    }
};

struct PhaseContext : ViewContext {
    CullPhase phase = CullPhase::kOnly;
    std::uint32_t round = 0;                 // that is being recorded
    std::uint32_t of_classes = kAllClasses;  // of the phase's draw classes those that take part, a bit each

    [[nodiscard]] PhasePlan phase_plan() const;
    // The number of this phase's states among those of a view, here and in an Expansion.
    [[nodiscard]] std::size_t state_number() const {
        return phase == CullPhase::kBlended ? GeometryState::kBlendedState : phase == CullPhase::kSecond ? 1 : 0;
    }
    // A CullState for each round of this phase.
    [[nodiscard]] const gpu::Buffer& cull_states() const { return geometry.cull_states[state_number()]; }
    // The first draw of the frame: it clears.
    [[nodiscard]] bool first_draw() const {
        return (phase == CullPhase::kOnly || phase == CullPhase::kFirst) && round == 0;
    }
    // Where something that lies at `offset` of a CullState is for this round.
    [[nodiscard]] VkDeviceSize in_state(VkDeviceSize offset) const {
        return VkDeviceSize{round} * sizeof(shared::CullState) + offset;
    }
    // The CullState of a round, for a shader.
    [[nodiscard]] gpu::Descriptor state_of(std::uint32_t binding, std::uint32_t of_round) const {
        return gpu::buffer_at(binding, cull_states(), VkDeviceSize{of_round} * sizeof(shared::CullState),
                              sizeof(shared::CullState));
    }
    // Records `record_round` for each round, with a debug label around it where there are several. Between them what
    // draws reads the lists, and the next round writes them.
    template <class Record>
    void for_each_round(const Record& record_round) {
        for (round = 0; round < geometry.rounds; ++round) {
            if (round != 0) order_rounds();
            std::optional<gpu::DebugLabel> label;
            if (geometry.rounds > 1) {
                label.emplace(device, frame.commands, ("round " + std::to_string(round + 1)).c_str());
            }
            record_round();
        }
        round = geometry.rounds - 1;
    }
    void order_rounds() const;
    // A pass, named with its phase where there are two.
    [[nodiscard]] gpu::Profiler::Pass pass(const char* name) const {
        return FrameContext::pass(pass_name(name).c_str());
    }
    [[nodiscard]] std::string pass_name(const char* name) const { return phase_name(name, phase); }
    // Binds the pipeline and its sets: the scene's, and of set kPassSet what belongs to the phase, and `own`.
    void bind(const gpu::Pipeline& pipeline, std::initializer_list<gpu::Descriptor> own) const;
    const gpu::Pipeline& bind(const gpu::ComputePipelineDesc& desc, std::initializer_list<gpu::Descriptor> own) const;
    // Draws into the view's targets by `stages`: `draw` once for each draw class of which `counts` has something, by
    // the pipeline that is bound. `clear`: the first draw of a frame. `own`: as for bind().
    void draw(bool clear, const GeometryStages& stages, std::initializer_list<gpu::Descriptor> own,
              const PerClass<std::uint32_t>& counts,
              const std::function<void(const gpu::Pipeline&, std::uint32_t draw_class)>& draw) const;
};

// A compute pass, while it lives: its label and its time. What its shaders write is visible to indirect commands,
// indices and shaders once it is over, by one barrier.
class ComputePass {
  public:
    ComputePass(const PhaseContext& context, const char* name) : context_(context), pass_(context.pass(name)) {}
    ~ComputePass();
    ComputePass(const ComputePass&) = delete;
    ComputePass& operator=(const ComputePass&) = delete;

  private:
    const PhaseContext& context_;
    gpu::Profiler::Pass pass_;
};

// A specialization of shaders that cull.
[[nodiscard]] gpu::Specialization primitive_bits_constant(const PhasePlan& phase);

}  // namespace sublet::render
