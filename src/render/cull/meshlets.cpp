#include "render/cull/meshlets.h"

#include <span>
#include <string>

#include "base/error.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kInstanceGroup = 128;  // cull/instances.comp's local size

struct Variants {
    std::span<const std::uint32_t> instances, meshlets, sublets, runs;
};

Variants variants(ExpansionStrategy expansion) {
    using namespace shaders;
    switch (expansion) {
        case ExpansionStrategy::kMaxN:
            return {cull_instances_max_n_comp, cull_meshlets_max_n_comp, cull_sublets_max_n_comp, cull_runs_max_n_comp};
        case ExpansionStrategy::kPerItem:
            return {cull_instances_per_item_comp, cull_meshlets_per_item_comp, cull_sublets_per_item_comp,
                    cull_runs_per_item_comp};
        case ExpansionStrategy::kLinear:
            return {cull_instances_linear_comp, cull_meshlets_linear_comp, cull_sublets_linear_comp,
                    cull_runs_linear_comp};
        case ExpansionStrategy::kPrefixSum:
            return {cull_instances_prefix_sum_comp, cull_meshlets_prefix_sum_comp, cull_sublets_prefix_sum_comp,
                    cull_runs_prefix_sum_comp};
        case ExpansionStrategy::kScan:
            return {cull_instances_scan_comp, cull_meshlets_scan_comp, cull_sublets_scan_comp, cull_runs_scan_comp};
        case ExpansionStrategy::kBuckets:
            return {cull_instances_buckets_comp, cull_meshlets_buckets_comp, cull_sublets_buckets_comp,
                    cull_runs_buckets_comp};
        case ExpansionStrategy::kTaskList:
            return {cull_instances_task_list_comp, cull_meshlets_task_list_comp, cull_sublets_task_list_comp,
                    cull_runs_task_list_comp};
    }
    throw Error("renderer", "expansion", "has no shaders");
}

gpu::ComputePipelineDesc instances_desc(const PhasePlan& phase) {
    return {.name = "cull instances",
            .shader = {.spirv = variants(phase.plan.expansion).instances,
                       .specialization = {{shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
                                          phase_constant(phase)}}};
}

gpu::ComputePipelineDesc meshlets_desc(const PhasePlan& phase, const MeshletCulling& culling) {
    const Variants shaders = variants(phase.plan.expansion);
    gpu::ComputePipelineDesc desc;
    desc.name = "cull meshlets";
    desc.shader.spirv = culling.output == CullOutput::kSublets    ? shaders.sublets
                        : culling.output == CullOutput::kRunDraws ? shaders.runs
                                                                  : shaders.meshlets;
    desc.shader.specialization = {
        {shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
        phase_constant(phase),
        {shared::kSpecPrimitiveBits, culling.primitive_bits ? 1U : 0U},
        {shared::kSpecSubletsPerGroup, culling.sublets_per_group},
        {shared::kSpecWriteDraws, culling.output == CullOutput::kMeshletDraws ? 1U : 0U},
        {shared::kSpecFirstInstance, phase.plan.mdi_vertices == MdiVertices::kFirstInstance ? 1U : 0U}};
    return desc;
}

}  // namespace

void add_meshlet_pipelines(const PhasePlan& phase, const MeshletCulling& culling, gpu::PipelineList& out) {
    out.add(instances_desc(phase));
    out.add(meshlets_desc(phase, culling));
}

void cull_meshlets(const RecordContext& context, const MeshletCulling& culling, const Expansion& expansion,
                   const SurvivorLists& lists, std::size_t round) {
    VkCommandBuffer commands = context.frame.commands;
    const GpuScene& scene = context.scene;
    const std::size_t state = context.phase == CullPhase::kSecond ? 1 : 0;
    {
        const auto pass = context.pass("cull instances");
        if (round != 0) expansion.record_reset(commands, state);
        const gpu::Pipeline& pipeline = context.pipelines.get(instances_desc(context.phase_plan()));
        context.bind(pipeline, {expansion.state(state), expansion.list()});
        std::uint32_t sources = scene.instance_count;
        if (context.plan.expansion == ExpansionStrategy::kTaskList) {
            const SurvivorPlan::Round& these = survivor_plan(scene, culling.output).rounds[round];
            shared::CullInstancesConstants constants{};
            sources = 0;
            for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
                constants.classes[c] = {these.first_task[c], these.tasks[c]};
                sources += these.tasks[c];
            }
            pipeline.push(commands, constants);
        }
        dispatch_rows(commands, (sources + kInstanceGroup - 1) / kInstanceGroup);
    }
    expansion.record_pushed(context.frame, context.profiler, context.pass_name("scan counts").c_str());
    const ComputePass pass(context, "cull meshlets");
    const gpu::Buffer& draws = lists.draws ? lists.draws : lists.survivors;  // where none are written
    context.bind(context.pipelines.get(meshlets_desc(context.phase_plan(), culling)),
                 {expansion.state(state), expansion.list(), gpu::buffer_at(shared::kBindSurvivors, lists.survivors),
                  gpu::buffer_at(shared::kBindDraws, draws)});
    expansion.record_dispatch(commands, state);
}

}  // namespace sublet::render
