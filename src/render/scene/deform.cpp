#include "render/scene/deform.h"

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

gpu::ComputePipelineDesc vertices_desc(const SceneDeform& deform) {
    if (!deform.subgroups) return {.name = "deform vertices", .shader = {.spirv = shaders::deform_comp}};
    return {.name = "deform vertices",
            .shader = {.spirv = shaders::deform_subgroup_comp,
                       .required_subgroup_size = deform.required_subgroup,
                       .full_subgroups = deform.full_subgroups}};
}

gpu::ComputePipelineDesc meshes_desc() {
    return {.name = "deform meshes", .shader = {.spirv = shaders::deform_meshes_comp}};
}

}  // namespace

void record_deform(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                   bool keep_bounds) {
    VkCommandBuffer commands = frame.commands;
    const SceneDeform& deform = scene.deform;
    const auto pass = profiler.pass(commands, "deform");
    const auto dispatch = [&](const gpu::ComputePipelineDesc& desc, const std::vector<gpu::Descriptor>& set,
                              std::uint32_t groups) {
        const gpu::Pipeline& pipeline = pipelines.get(desc);
        frame.descriptors->bind(commands, pipeline, scene_descriptors(scene, nullptr), shared::kSceneSet);
        frame.descriptors->bind(commands, pipeline, set, shared::kPassSet);
        pipeline.push(commands, shared::DeformConstants{groups, keep_bounds ? 1U : 0U});
        dispatch_rows(commands, groups);
    };
    dispatch(vertices_desc(deform),
             {gpu::buffer_at(shared::kBindDeformTasks, deform.tasks),
              gpu::buffer_at(shared::kBindWrittenDeformation, deform.vectors),
              gpu::buffer_at(shared::kBindWrittenSubletBounds, scene.sublet_bounds),
              gpu::buffer_at(shared::kBindWrittenMeshletBounds, scene.meshlet_bounds)},
             deform.task_count);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
    if (!keep_bounds)
        dispatch(meshes_desc(), {gpu::buffer_at(shared::kBindWrittenMeshes, scene.meshes)}, deform.mesh_count);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kConsume);
}

void add_deform_pipelines(const GpuScene& scene, gpu::PipelineList& out) {
    if (!scene.deform.any()) return;
    out.add(vertices_desc(scene.deform));
    out.add(meshes_desc());
}

}  // namespace sublet::render
