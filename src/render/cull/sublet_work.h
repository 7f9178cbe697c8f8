// What the backends that draw sublets share: what their shaders read, culling down to sublets, and its lists.
#pragma once

#include <cstdint>
#include <memory>

#include "render/cull/meshlets.h"
#include "render/cull/phase.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

class SubletWork {
  public:
    explicit SubletWork(gpu::Device& device) : device_(device) {}

    // For BackendBase::survivors(): a list of as many sublets as the budget allows, and of so many slots at most.
    [[nodiscard]] static SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan,
                                                std::uint64_t most_slots = ~std::uint64_t{0},
                                                std::uint64_t most_of_class = shared::kMostMeshGroups);
    // For BackendBase::begin_frame(), of frames that cull().
    void begin_frame(const ViewContext& context);
    // Records the culling passes of a round. `sublets_per_group`: of the mesh shader's workgroups, 0 where a pass culls
    // the sublets' triangles before. `numbers`: to be made by a frame's first phase.
    void cull(const PhaseContext& context, std::uint32_t sublets_per_group, const CutNumbers* numbers = nullptr) const;

    // The pipelines of these passes.
    void add_pipelines(const PhasePlan& phase, std::uint32_t sublets_per_group, gpu::PipelineList& out,
                       bool counts_cut = false) const;

    // The list of surviving sublets.
    [[nodiscard]] gpu::Descriptor list() const { return gpu::buffer_at(shared::kBindSurvivors, lists_.survivors); }

    [[nodiscard]] std::uint64_t list_bytes() const { return (expansion_ ? expansion_->bytes() : 0) + lists_.bytes(); }

  private:
    gpu::Device& device_;
    std::unique_ptr<Expansion> expansion_;
    SurvivorLists lists_;
};

}  // namespace sublet::render
