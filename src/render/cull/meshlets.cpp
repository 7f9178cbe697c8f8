#include "render/cull/meshlets.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "render/passes/passes.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/graph.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

// Workgroups that a round may leave undone where levels of detail are chosen, of 128 meshlets each: a frame of more
// would take seconds, list or none.
constexpr std::uint64_t kMostUndoneOfCut = std::uint64_t{1} << 20U;

gpu::Specialization expansion_constant(ExpansionStrategy expansion) {
    return {shared::kSpecExpansion, static_cast<std::uint32_t>(expansion)};
}

gpu::ComputePipelineDesc instances_desc(const PhasePlan& phase, bool counts_cut) {
    return {.name = "cull instances",
            .shader = {.spirv = pushes_packed(phase.plan.expansion) ? shaders::cull_instances_packed_comp
                                                                    : shaders::cull_instances_comp,
                       .specialization = {{shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
                                          {shared::kSpecCountsCut, counts_cut ? 1U : 0U},
                                          expansion_constant(phase.plan.expansion)}}};
}

// What draws are written as.
std::uint32_t generated_as(const FramePlan& plan, const MeshletCulling& culling) {
    if (!culling.generated) return shared::kGeneratedNot;
    return plan.device.mesh_tasks ? shared::kGeneratedMeshTasks : shared::kGeneratedIndexed;
}

std::span<const std::uint32_t> spirv_for(CullOutput output) {
    switch (output) {
        case CullOutput::kMeshlets:
        case CullOutput::kMeshletDraws:
            return shaders::cull_meshlets_comp;
        case CullOutput::kQueue:
            return shaders::cull_queued_meshlets_comp;
        default:
            return shaders::cull_sublets_comp;
    }
}

// `further`: of the rounds after the first.
gpu::ComputePipelineDesc meshlets_desc(const PhasePlan& phase, const MeshletCulling& culling, bool further) {
    gpu::ComputePipelineDesc desc;
    desc.name = further ? "cull meshlets (further rounds)" : "cull meshlets";
    desc.generated = !further && phase.plan.expansion == ExpansionStrategy::kGenerated;
    desc.shader.spirv = spirv_for(culling.output);
    desc.shader.specialization = {
        {shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
        expansion_constant(phase.plan.expansion),
        {shared::kSpecPrimitiveBits, culling.detail == OcclusionDetail::kPrimitives ? 1U : 0U},
        {shared::kSpecSubletBits, culling.detail == OcclusionDetail::kSublets ? 1U : 0U},
        {shared::kSpecSubletsPerGroup, culling.sublets_per_group},
        {shared::kSpecWriteDraws,
         culling.output == CullOutput::kMeshletDraws || culling.output == CullOutput::kRunDraws ? 1U : 0U},
        {shared::kSpecGenerated, generated_as(phase.plan, culling)},
        {shared::kSpecFirstInstance, phase.plan.device.mdi_vertices == MdiVertices::kFirstInstance ? 1U : 0U},
        {shared::kSpecFurtherRound, further ? 1U : 0U},
        {shared::kSpecMayStop, phase.survivors.rounds > 1 ? 1U : 0U}};
    return desc;
}

void cull_instances(const PhaseContext& context, const Expansion& expansion, std::size_t state,
                    const CutNumbers* numbers) {
    const auto pass = context.pass("cull instances");
    gpu::Descriptor counts = expansion.list();  // any buffer will do, where nothing is counted
    counts.binding = shared::kBindCutNumbers;
    if (numbers != nullptr) counts = numbers->descriptor();
    context.bind(context.pipelines.get(instances_desc(context.phase_plan(), numbers != nullptr)),
                 {expansion.state(state), expansion.list(), counts});
    // Beyond the last instance lies the number of all.
    dispatch_rows(context.frame.commands, context.scene.instance_count / shared::kInstancesLanes + 1);
}

}  // namespace

void SurvivorLists::prepare(const ViewContext& context, const Expansion& expansion, ListedDraws listed) {
    gpu::Device& device = context.device;
    const SurvivorPlan& plan = context.survivors;
    const auto make = [&](gpu::Buffer& buffer, const char* name, std::uint64_t bytes, VkBufferUsageFlags usage = 0) {
        bytes = std::max<std::uint64_t>(bytes, 4);
        if (buffer && buffer.size() == bytes) return;
        device.retire(std::exchange(buffer, make_storage_buffer(device, name, bytes, usage)));
    };
    const bool generated = listed == ListedDraws::kGenerated;
    make(survivors, "survivors", generated ? 0 : plan.items * sizeof(shared::uvec2));
    if (listed == ListedDraws::kQueued) {
        make(queue, "queued meshlets", plan.items / shared::kSubletsPerMeshlet * sizeof(shared::SubletsPayload));
    }
    if (listed == ListedDraws::kIndexed || generated) {
        make(draws, "draws",
             plan.items * (generated ? sizeof(shared::GeneratedDraw) : sizeof(VkDrawIndexedIndirectCommand)),
             VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    } else {
        device.retire(std::exchange(draws, {}));
    }
    if (plan.rounds > 1) {
        const std::uint64_t bound =
            device.capabilities().limits.maxStorageBufferRange / (2 * sizeof(shared::UndoneGroup));
        const bool cut = context.scene.facts.demand(context.plan).of_cut;
        undone_capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            {expansion.most_groups(), bound, cut ? kMostUndoneOfCut : bound, context.hooks.most_undone_groups}));
        make(undone, "undone work", std::uint64_t{2} * undone_capacity * sizeof(shared::UndoneGroup));
    } else {
        device.retire(std::exchange(undone, {}));
    }
}

std::uint64_t SurvivorLists::bytes() const {
    std::uint64_t bytes = 0;
    for (const gpu::Buffer* buffer : {&survivors, &draws, &queue, &undone}) bytes += *buffer ? buffer->size() : 0;
    return bytes;
}

void add_meshlet_pipelines(const gpu::Capabilities& capabilities, const PhasePlan& phase, const MeshletCulling& culling,
                           gpu::PipelineList& out) {
    add_expansion_pipelines(capabilities, phase.plan.expansion, phase.scene.facts.demand(phase.plan), out);
    if (culling.counts_cut) CutNumbers::add_pipelines(capabilities, phase.scene, out);
    out.add(instances_desc(phase, culling.counts_cut));
    out.add(meshlets_desc(phase, culling, false));
    if (phase.survivors.rounds > 1) out.add(meshlets_desc(phase, culling, true));
}

void cull_meshlets(const PhaseContext& context, const MeshletCulling& culling, const Expansion& expansion,
                   const SurvivorLists& lists, const CutNumbers* numbers) {
    const gpu::Commands commands = context.frame.commands;
    const std::size_t state = context.state_number();
    const std::uint32_t round = context.round;
    if (round == 0) {
        cull_instances(context, expansion, state, culling.counts_cut ? numbers : nullptr);
        expansion.record_pushed(context.frame, context.profiler, context.pipelines,
                                context.pass_name("scan counts").c_str());
    }
    const ComputePass pass(context, "cull meshlets");
    const gpu::Pipeline& pipeline = context.pipelines.get(meshlets_desc(context.phase_plan(), culling, round != 0));
    // Where something is not read or written, any buffer will do.
    context.bind(pipeline,
                 {expansion.state(state), expansion.list(), gpu::buffer_at(shared::kBindSurvivors, lists.survivors),
                  gpu::buffer_at(shared::kBindDraws, lists.draws ? lists.draws : lists.survivors),
                  gpu::buffer_at(shared::kBindQueue, lists.queue ? lists.queue : lists.survivors),
                  gpu::buffer_at(shared::kBindUndone, lists.undone ? lists.undone : lists.survivors),
                  context.state_of(shared::kBindStateBefore, round == 0 ? 0 : round - 1)});
    pipeline.push(commands, shared::CullMeshletsConstants{.first_before = round % 2 == 0 ? lists.undone_capacity : 0,
                                                          .first_undone = round % 2 == 0 ? 0 : lists.undone_capacity,
                                                          .capacity = lists.undone_capacity,
                                                          .pushed = {}});
    if (round == 0) {
        expansion.record_dispatch(commands, pipeline, state);
        if (culling.counts_cut) numbers->record(context);  // beside that: neither waits for the other
    } else {
        commands(vkCmdDispatchIndirect, context.cull_states().handle(),
                 (round - 1) * sizeof(shared::CullState) + offsetof(shared::CullState, undone) +
                     offsetof(shared::UndoneWork, groups));
    }
}

}  // namespace sublet::render
