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
    out.vertex.specialization = {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U}};
    out.id = IdSource::kVertex;
    return out;
}

}  // namespace

void draw_rest(const PhaseContext& context) {
    if (context.geometry.rounds >= context.survivors.rounds) return;
    const auto pass = context.pass("draw the rest");
    VkCommandBuffer commands = context.frame.commands;
    context.order_rounds();
    const VkDeviceSize draw =
        context.in_state(offsetof(shared::CullState, undone) + offsetof(shared::UndoneWork, sublets));
    context.draw(false, rest_stages(context.plan), {}, context.survivors.slots,
                 [&](const gpu::Pipeline& pipeline, std::uint32_t c) {
                     pipeline.push(commands, shared::RestConstants{c});
                     vkCmdDrawIndirect(commands, context.cull_states().handle(), draw, 1, 0);
                 });
}

void add_rest_pipeline(const PhasePlan& phase, gpu::PipelineList& out) {
    if (phase.survivors.rounds > 1) phase.output.add_pipelines(rest_stages(phase.plan), out);
}

}  // namespace sublet::render
