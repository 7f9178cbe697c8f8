#include "render/backends/rest.h"

#include <cstddef>

#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

GeometryStages rest_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "rest";
    out.vertex.spirv = shaders::rest_vert;
    out.vertex.specialization = {{shared::kSpecEncoded, encoded_as(plan)}};
    out.id = IdSource::kVertex;
    return out;
}

constexpr std::uint32_t kClearGroups = 1024;  // that stride over all layers

gpu::ComputePipelineDesc clear_layers_desc(const FramePlan& plan, bool for_rest) {
    return {.name = "clear layers",
            .shader = {.spirv = for_rest ? shaders::clear_layers_for_rest_comp : shaders::clear_layers_comp,
                       .specialization = {layers_constant(plan)}}};
}

// Whether the backend's own draws have counts from a buffer, where the device has such draws.
bool draws_by_counts(const FramePlan& plan) {
    if (plan.backend == Backend::kGraph || plan.backend == Backend::kGraphAmdx) return plan.device.mesh_tasks;
    if (plan.backend == Backend::kMdi) return plan.device.mdi_vertices != MdiVertices::kInstanced;
    return plan.backend != Backend::kCompact;
}

}  // namespace

void draw_rest(const PhaseContext& context) {
    if (context.survivors.rounds <= 1) return;
    if (context.phase == CullPhase::kBlended) clear_layers_for_rest(context);
    const auto pass = context.pass("draw the rest");
    const gpu::Commands commands = context.frame.commands;
    context.order_rounds();
    const VkBuffer state = context.cull_states().handle();
    const VkDeviceSize undone = context.in_state(offsetof(shared::CullState, undone));
    const VkDeviceSize draw = undone + offsetof(shared::UndoneWork, tasks);
    // One draw at most. Lavapipe (Mesa 25.0.7) draws by the count of an earlier draw where there is none of its own: so
    // a backend draws all by counts, or none.
    const bool counts = context.plan.device.draw_count && draws_by_counts(context.plan);
    draw_tasks(context, context.survivors.slots, [&](gpu::Commands /*commands*/, std::uint32_t /*c*/) {
        if (counts) {
            commands(vkCmdDrawIndirectCount, state, draw, state, undone + offsetof(shared::UndoneWork, count), 1,
                     sizeof(shared::DrawCommand));
        } else {
            commands(vkCmdDrawIndirect, state, draw, 1, 0);
        }
    });
}

void clear_layers(const ViewContext& context) {
    const auto pass = context.pass("clear layers");
    context.bind(clear_layers_desc(context.plan, false),
                 {gpu::buffer_at(shared::kBindWideIds, context.geometry.targets.layers)});
    context.frame.commands(vkCmdDispatch, kClearGroups, 1, 1);
}

void clear_layers_for_rest(const PhaseContext& context) {
    if (context.hooks.fault == Fault::kLayersNotCleared) return;
    context.order_rounds();
    const ComputePass pass(context, "clear layers");
    context.bind(clear_layers_desc(context.plan, true), {});
    context.frame.commands(vkCmdDispatch, kClearGroups, 1, 1);
}

void draw_tasks(const PhaseContext& context, const PerClass<std::uint32_t>& counts,
                const std::function<void(gpu::Commands, std::uint32_t)>& draw) {
    context.draw(false, rest_stages(context.plan),
                 {gpu::buffer_at(shared::kBindTaskSources, context.scene.task_sources)}, counts,
                 [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                     pipeline.push(context.frame.commands, shared::RestConstants{c});
                     draw(context.frame.commands, c);
                 });
}

void add_rest_pipeline(const PhasePlan& phase, gpu::PipelineList& out) {
    if (phase.survivors.rounds <= 1) return;
    add_tasks_pipeline(phase, out);
    if (phase.phase == CullPhase::kBlended) add_clear_layers_pipeline(phase.plan, true, out);
}

void add_clear_layers_pipeline(const FramePlan& plan, bool for_rest, gpu::PipelineList& out) {
    out.add(clear_layers_desc(plan, for_rest));
}

void add_tasks_pipeline(const PhasePlan& phase, gpu::PipelineList& out) {
    phase.add_draws(rest_stages(phase.plan), out);
}

}  // namespace sublet::render
