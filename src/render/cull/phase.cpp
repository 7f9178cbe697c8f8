#include "render/cull/phase.h"

#include <vector>

#include "gpu/barriers.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {

void CpuCounters::add(const CpuCounters& other) {
    instances_visible += other.instances_visible;
    meshlets += other.meshlets;
    sublets += other.sublets;
    primitives_drawn += other.primitives_drawn;
    meshlets_outside += other.meshlets_outside;
    meshlets_facing_away += other.meshlets_facing_away;
    if (!levels || !other.levels) {
        levels.reset();
        return;
    }
    levels->all_meshlets += other.levels->all_meshlets;
    levels->finest_triangles += other.levels->finest_triangles;
    levels->cut_triangles += other.levels->cut_triangles;
    for (std::size_t i = 0; i < levels->drawn_triangles.size(); ++i) {
        levels->drawn_triangles[i] += other.levels->drawn_triangles[i];
    }
}

std::string phase_name(const char* pass, CullPhase phase) {
    return std::string(pass) + (phase == CullPhase::kFirst     ? " 1"
                                : phase == CullPhase::kSecond  ? " 2"
                                : phase == CullPhase::kBlended ? " blended"
                                                               : "");
}

PhasePlan PhaseContext::phase_plan() const {
    return {*this, phase,
            phase == CullPhase::kOnly || phase == CullPhase::kBlended ? OcclusionDetail::kMeshlets
                                                                      : geometry.visibility.buffers(frame).detail};
}

void PhaseContext::bind(const gpu::Pipeline& pipeline, std::initializer_list<gpu::Descriptor> own) const {
    const PhaseBuffers buffers = geometry.visibility.buffers(frame);
    // What blends is tested against the pyramid, where there is one.
    const bool blended = phase == CullPhase::kBlended;
    const std::uint32_t number = blended && !plan.cull_occlusion ? 0 : static_cast<std::uint32_t>(phase);
    const std::uint32_t classes = !geometry.blends ? kAllClasses : blended ? kBlendedClass : ~kBlendedClass;
    std::vector<gpu::Descriptor> pass_set{state_of(shared::kBindState, round),
                                          gpu::buffer_at(shared::kBindVisibleBefore, *buffers.visible_before),
                                          gpu::buffer_at(shared::kBindVisibleAfter, *buffers.visible_after),
                                          gpu::buffer_at(shared::kBindDetailsBefore, *buffers.details_before),
                                          gpu::buffer_at(shared::kBindDetailsAfter, *buffers.details_after),
                                          gpu::buffer_at(shared::kBindOcclusionView, *buffers.occlusion),
                                          geometry.visibility.phase_data(number, classes & of_classes),
                                          gpu::buffer_at(shared::kBindPyramid, *buffers.pyramid),
                                          gpu::buffer_at(shared::kBindWideIds, geometry.targets.wide_ids_or_layers())};
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
                 .blended = phase == CullPhase::kBlended,
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

gpu::Specialization primitive_bits_constant(const PhasePlan& phase) {
    return {shared::kSpecPrimitiveBits, phase.detail == OcclusionDetail::kPrimitives ? 1U : 0U};
}

}  // namespace sublet::render
