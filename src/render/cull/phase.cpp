#include "render/cull/phase.h"

#include <vector>

#include "gpu/barriers.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

std::string phase_name(const char* pass, CullPhase phase) {
    return std::string(pass) + (phase == CullPhase::kFirst ? " 1" : phase == CullPhase::kSecond ? " 2" : "");
}

PhasePlan PhaseContext::phase_plan() const {
    return {*this, phase,
            phase == CullPhase::kOnly ? OcclusionDetail::kMeshlets : geometry.visibility.buffers(frame).detail};
}

void PhaseContext::bind(const gpu::Pipeline& pipeline, std::initializer_list<gpu::Descriptor> own) const {
    const PhaseBuffers buffers = geometry.visibility.buffers(frame);
    std::vector<gpu::Descriptor> pass_set{state_of(shared::kBindState, round),
                                          gpu::buffer_at(shared::kBindVisibleBefore, *buffers.visible_before),
                                          gpu::buffer_at(shared::kBindVisibleAfter, *buffers.visible_after),
                                          gpu::buffer_at(shared::kBindDetailsBefore, *buffers.details_before),
                                          gpu::buffer_at(shared::kBindDetailsAfter, *buffers.details_after),
                                          gpu::buffer_at(shared::kBindOcclusionView, *buffers.occlusion),
                                          gpu::buffer_at(shared::kBindPyramid, *buffers.pyramid)};
    pass_set.insert(pass_set.end(), own);
    frame.descriptors->bind(frame.commands, pipeline, geometry.scene_set, shared::kSceneSet);
    frame.descriptors->bind(frame.commands, pipeline, pass_set, shared::kPassSet);
}

const gpu::Pipeline& PhaseContext::bind(const gpu::ComputePipelineDesc& desc,
                                        std::initializer_list<gpu::Descriptor> own) const {
    const gpu::Pipeline& pipeline = pipelines.get(desc);
    bind(pipeline, own);
    return pipeline;
}

void PhaseContext::draw(bool clear, const GeometryStages& stages, std::initializer_list<gpu::Descriptor> own,
                        const PerClass<std::uint32_t>& counts,
                        const std::function<void(const gpu::Pipeline&, std::uint32_t)>& draw) const {
    output.draw(*this, geometry.targets,
                {.stages = stages,
                 .clear = clear,
                 .counts = counts,
                 .bind = [&](const gpu::Pipeline& pipeline) { bind(pipeline, own); },
                 .draw = draw});
}

void PhaseContext::order_rounds() const {
    gpu::memory_barrier(frame.commands, gpu::kDraw | gpu::kCompute | gpu::kColorAttachment | gpu::kDepthAttachment,
                        gpu::kConsume | gpu::kColorAttachment | gpu::kDepthAttachment);
}

ComputePass::~ComputePass() {
    gpu::memory_barrier(context_.frame.commands, gpu::kCompute, gpu::kConsume);
}

gpu::Specialization phase_constant(const PhasePlan& phase) {
    return {shared::kSpecPhase, static_cast<std::uint32_t>(phase.phase)};
}

gpu::Specialization primitive_bits_constant(const PhasePlan& phase) {
    return {shared::kSpecPrimitiveBits, phase.detail == OcclusionDetail::kPrimitives ? 1U : 0U};
}

}  // namespace sublet::render
