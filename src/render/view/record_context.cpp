#include "render/view/record_context.h"

#include <array>

#include "gpu/barriers.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

namespace {

// By number.
constexpr std::array<const char*, shared::kDrawClasses> kClassNames{"counter-clockwise", "clockwise", "double-sided",
                                                                    "masked", "transmissive"};

}  // namespace

std::string phase_name(const char* pass, CullPhase phase) {
    return std::string(pass) + (phase == CullPhase::kFirst ? " 1" : phase == CullPhase::kSecond ? " 2" : "");
}

void RecordContext::bind(const gpu::Pipeline& pipeline, std::initializer_list<gpu::Descriptor> own) const {
    std::vector<gpu::Descriptor> pass_set{state_of(shared::kBindState, round),
                                          gpu::buffer_at(shared::kBindVisibleBefore, *phase_buffers.visible_before),
                                          gpu::buffer_at(shared::kBindVisibleAfter, *phase_buffers.visible_after),
                                          gpu::buffer_at(shared::kBindDetailsBefore, *phase_buffers.details_before),
                                          gpu::buffer_at(shared::kBindDetailsAfter, *phase_buffers.details_after),
                                          gpu::buffer_at(shared::kBindOcclusionView, *phase_buffers.occlusion),
                                          gpu::buffer_at(shared::kBindPyramid, *phase_buffers.pyramid)};
    pass_set.insert(pass_set.end(), own);
    frame.descriptors->bind(frame.commands, pipeline, scene_set, shared::kSceneSet);
    frame.descriptors->bind(frame.commands, pipeline, pass_set, shared::kPassSet);
}

void RecordContext::order_rounds() const {
    gpu::memory_barrier(frame.commands, gpu::kDraw | gpu::kCompute | gpu::kColorAttachment | gpu::kDepthAttachment,
                        gpu::kConsume | gpu::kColorAttachment | gpu::kDepthAttachment);
}

ComputePass::~ComputePass() {
    gpu::memory_barrier(context_.frame.commands, gpu::kCompute, gpu::kConsume);
}

void draw_classes(const RecordContext& context, bool clear, const GeometryStages& stages,
                  std::initializer_list<gpu::Descriptor> own, const PerClass<std::uint32_t>& counts,
                  const DrawClass& draw) {
    VkCommandBuffer commands = context.frame.commands;
    const gpu::Pipeline* bound = nullptr;
    const auto draw_class_of = [&](std::uint32_t draw_class) {
        if (counts[draw_class] == 0) return;
        const bool masked = is_alpha_tested(draw_class);
        const gpu::Pipeline& pipeline =
            context.pipelines.get(masked ? context.output.masked_pipeline(stages) : context.output.pipeline(stages));
        if (&pipeline != bound) {
            context.bind(pipeline, own);
            if (masked) context.scene.textures->bind(commands, pipeline, context.frame.slot);
            bound = &pipeline;
        }
        const gpu::DebugLabel label(context.device, commands, kClassNames[draw_class]);
        set_draw_class(commands, draw_class);
        draw(pipeline, draw_class);
    };
    context.output.begin(commands, context.targets, false, clear);
    for (std::uint32_t c = 0; c < shared::kClassTransmissive; ++c) draw_class_of(c);
    vkCmdEndRendering(commands);
    if (!context.targets.transmissive_depth || (!clear && counts[shared::kClassTransmissive] == 0)) return;
    context.output.begin(commands, context.targets, true, clear);
    draw_class_of(shared::kClassTransmissive);
    vkCmdEndRendering(commands);
}

gpu::Specialization phase_constant(const PhasePlan& phase) {
    return {shared::kSpecPhase, static_cast<std::uint32_t>(phase.phase)};
}

gpu::Specialization primitive_bits_constant(const PhasePlan& phase) {
    return {shared::kSpecPrimitiveBits, phase.detail == OcclusionDetail::kPrimitives ? 1U : 0U};
}

}  // namespace sublet::render
