#include "render/backends/rest.h"

#include <cstddef>

#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

GeometryStages stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "rest";
    out.vertex.spirv = shaders::rest_vert;
    out.vertex.specialization = {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U}};
    out.id = IdSource::kVertex;
    return out;
}

}  // namespace

void draw_rest(const RecordContext& context) {
    if (context.rounds >= context.survivors.rounds) return;
    const auto pass = context.pass("draw the rest");
    const gpu::Pipeline& pipeline = context.pipelines.get(context.output.pipeline(stages(context.plan)));
    VkCommandBuffer commands = context.frame.commands;
    context.order_rounds();
    draw_classes(context, false, pipeline, {}, context.survivors.slots, [&](std::uint32_t c) {
        pipeline.push(commands, shared::RestConstants{c});
        vkCmdDrawIndirect(commands, context.cull_states.handle(),
                          context.in_state(offsetof(shared::CullState, undone) + offsetof(shared::UndoneWork, sublets)),
                          1, 0);
    });
}

void add_rest_pipeline(const PhasePlan& phase, gpu::PipelineList& out) {
    if (phase.survivors.rounds > 1) out.add(phase.output.pipeline(stages(phase.plan)));
}

}  // namespace sublet::render
