// The execution graph of shaders/shared/graph.h, played by ordinary compute: level by level, each node's payloads in a
// queue. A broadcast payload is a source of a work expansion; what coalesces is a queue of entries; a mesh node is an
// indirect mesh draw for each draw class or, without mesh shaders, an indirect draw whose instances are sublets.
// Reads: encoded or decoded sublets, survivor lists. Writes: counters, ids, depth.
#include <memory>

#include "render/backends/backend.h"
#include "render/backends/graph.h"
#include "render/backends/mesh_shader.h"
#include "render/backends/rest.h"
#include "render/cull/graph_nodes.h"
#include "render/cull/meshlets.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/graph.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

GeometryStages graph_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "graph";
    if (plan.device.mesh_tasks) {
        out.id = IdSource::kPerPrimitive;
        out.mesh = mesh_shader(plan, MeshSource::kList);
        return out;
    }
    out.id = IdSource::kVertex;
    out.vertex.spirv = shaders::mdi_instance_vert;
    out.vertex.specialization = {{shared::kSpecPulled, 1U}, {shared::kSpecIndexBits, plan.device.narrow_index_bits}};
    return out;
}

// Of the mesh shader's workgroups.
std::uint32_t sublets_per_group(const FramePlan& plan) {
    return plan.device.mesh_tasks ? plan.meshlet_workgroup / shared::kSubletSize : 0;
}

MeshletCulling graph_culling(const PhasePlan& phase) {
    return {.output = CullOutput::kQueue, .detail = phase.detail};
}

gpu::ComputePipelineDesc sublets_desc(const PhasePlan& phase) {
    return {
        .name = "cull sublets",
        .shader = {.spirv = shaders::cull_queued_sublets_comp,
                   .specialization = {{shared::kSpecCount, phase.plan.collect_counters ? 1U : 0U},
                                      {shared::kSpecSubletBits, phase.detail == OcclusionDetail::kSublets ? 1U : 0U},
                                      {shared::kSpecSubletsPerGroup, sublets_per_group(phase.plan)}}}};
}

class GraphBackend final : public BackendBase {
  public:
    explicit GraphBackend(gpu::Device& device) : device_(device) {}

    [[nodiscard]] SurvivorPlan survivors(const GpuScene& scene, const FramePlan& plan) const override {
        return graph_survivors(scene, plan, kAllClasses);
    }

    void begin_frame(const ViewContext& context, shared::CullState& state) override {
        prepare_expansion(expansion_, device_, context.plan.expansion, context.scene.facts.demand(context.plan),
                          context.hooks.most_expansion_entries);
        lists_.prepare(context, *expansion_, ListedDraws::kQueued);
        expansion_->record_resets(context.frame.commands);
        for (shared::ClassSurvivors& survivors : state.survivors.classes) {
            survivors.draw.vertices = shared::kSubletSize * 3;
        }
    }

    CpuCounters record(PhaseContext& context) override {
        const bool drops = context.hooks.fault == Fault::kQueuesDrop;
        context.for_each_round([&] {
            if (drops && context.round != 0) return;
            cull_meshlets(context, graph_culling(context.phase_plan()), *expansion_, lists_);
            cull_sublets(context);
            draw(context);
        });
        if (!drops) draw_rest(context);
        return {};
    }

    void add_pipelines(const PhasePlan& phase, gpu::PipelineList& out) const override {
        add_meshlet_pipelines(device_.capabilities(), phase, graph_culling(phase), out);
        out.add(sublets_desc(phase));
        phase.add_draws(graph_stages(phase.plan), out);
        add_rest_pipeline(phase, out);
    }

    [[nodiscard]] TransientBytes transient_bytes() const override {
        return {.survivors = (expansion_ ? expansion_->bytes() : 0) + lists_.bytes()};
    }

  private:
    // The node `sublets`.
    void cull_sublets(const PhaseContext& context) const {
        const ComputePass pass(context, "cull sublets");
        context.bind(sublets_desc(context.phase_plan()), {gpu::buffer_at(shared::kBindQueue, lists_.queue),
                                                          gpu::buffer_at(shared::kBindSurvivors, lists_.survivors)});
        context.frame.commands(vkCmdDispatchIndirect, context.cull_states().handle(),
                               context.in_state(offsetof(shared::CullState, queued)));
    }

    // The node `draw`, for each draw class.
    void draw(const PhaseContext& context) const {
        const FramePlan& plan = context.plan;
        const gpu::Descriptor list = gpu::buffer_at(shared::kBindSurvivors, lists_.survivors);
        if (plan.device.mesh_tasks) {
            const std::uint32_t per_group = sublets_per_group(plan);
            const auto pass = context.pass("draw");
            context.draw(context.first_draw(), graph_stages(plan), {list}, context.survivors.slots,
                         [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                             const std::uint32_t groups = (context.survivors.slots[c] + per_group - 1) / per_group;
                             record_mesh_draws(context, pipeline, c, groups, shared::MeshConstants{c, 0, 0});
                         });
            return;
        }
        const gpu::Buffer& indices = context.scene.indices->get(context, context.scene, plan.device.narrow_index_bits);
        const auto pass = context.pass("draw");
        context.draw(context.first_draw(), graph_stages(plan), {list, gpu::buffer_at(shared::kBindIndices, indices)},
                     context.survivors.slots, [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                         pipeline.push(context.frame.commands, shared::MdiConstants{context.survivors.base[c]});
                         const VkDeviceSize draw = survivors_offset(c) + offsetof(shared::ClassSurvivors, draw);
                         context.frame.commands(vkCmdDrawIndirect, context.cull_states().handle(),
                                                context.in_state(draw), 1, 0);
                     });
    }

    gpu::Device& device_;
    std::unique_ptr<Expansion> expansion_;
    SurvivorLists lists_;
};

}  // namespace

SurvivorPlan graph_survivors(const GpuScene& scene, const FramePlan& plan, std::uint32_t classes) {
    PerClass<std::uint64_t> all{};
    for (std::uint32_t c = 0; c < shared::kDrawClasses; ++c) {
        if ((classes >> c & 1U) != 0) all[c] = scene.class_meshlets[c] * kDrawsOfMeshlet;
    }
    return plan_survivors(all, scene.list_bytes(plan) * kDrawsOfMeshlet / kQueueBytesOfMeshlet, shared::kMostMeshGroups,
                          kDrawsOfMeshlet);
}

std::unique_ptr<BackendBase> make_graph(gpu::Device& device) {
    return std::make_unique<GraphBackend>(device);
}

}  // namespace sublet::render
