#include "render/cull/sublet_work.h"

#include <algorithm>

namespace sublet::render {

namespace {

MeshletCulling sublet_culling(const PhasePlan& phase, std::uint32_t sublets_per_group, bool counts_cut) {
    return {.output = CullOutput::kSublets,
            .sublets_per_group = sublets_per_group,
            .detail = phase.detail,
            .counts_cut = counts_cut && phase.phase != CullPhase::kSecond && phase.phase != CullPhase::kBlended};
}

}  // namespace

SurvivorPlan SubletWork::survivors(const GpuScene& scene, const FramePlan& plan, std::uint64_t most_slots,
                                   std::uint64_t most_of_class) {
    return plan_survivors(scene.class_sublets, std::min(scene.list_bytes(plan) / sizeof(shared::uvec2), most_slots),
                          most_of_class, shared::kSubletsPerMeshlet);
}

void SubletWork::begin_frame(const ViewContext& context) {
    prepare_expansion(expansion_, device_, context.plan.expansion, context.scene.facts.demand(context.plan),
                      context.hooks.most_expansion_entries);
    lists_.prepare(context, *expansion_, ListedDraws::kNone);
    expansion_->record_resets(context.frame.commands);
}

void SubletWork::cull(const PhaseContext& context, std::uint32_t sublets_per_group, const CutNumbers* numbers) const {
    const MeshletCulling culling = sublet_culling(context.phase_plan(), sublets_per_group, numbers != nullptr);
    cull_meshlets(context, culling, *expansion_, lists_, numbers);
}

void SubletWork::add_pipelines(const PhasePlan& phase, std::uint32_t sublets_per_group, gpu::PipelineList& out,
                               bool counts_cut) const {
    add_meshlet_pipelines(device_.capabilities(), phase, sublet_culling(phase, sublets_per_group, counts_cut), out);
}

}  // namespace sublet::render
