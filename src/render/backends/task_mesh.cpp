// Task shaders that pack what compute leaves: passes cull down to triangles and leave masks of them, the task shader
// packs what survives into mesh workgroups. Reads: encoded or decoded sublets, masks. Writes: lists, masks, counters,
// ids, depth.
#include "render/backends/mesh_shader.h"
#include "render/backends/triangle_backend.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/primitives.h"

namespace sublet::render {
namespace {

std::uint32_t task_mesh_form(const FramePlan& /*plan*/) {
    return shared::kPrimitiveMasks;
}

GeometryStages task_mesh_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "task-mesh";
    out.task.spirv = shaders::packed_task;
    out.task.specialization = {{shared::kSpecMeshLanes, plan.meshlet_workgroup}};
    out.mesh = packed_mesh_shader(plan);
    out.id = IdSource::kPerPrimitive;
    return out;
}

void draw_task_mesh(const PhaseContext& context, const gpu::Pipeline& pipeline, const PrimitivePass& triangles,
                    std::uint32_t draw_class) {
    // One draw holds them.
    static_assert(shared::kMostMeshGroups / shared::kPackedSlots <= shared::kMeshDrawGroups);
    record_mesh_draws(context, pipeline, draw_class, 1,
                      shared::PackedConstants{draw_class, triangles.regions()[draw_class].first_word / 2});
}

}  // namespace

std::unique_ptr<BackendBase> make_task_mesh(gpu::Device& device) {
    return make_triangle_backend(device, {.form = task_mesh_form, .stages = task_mesh_stages, .draw = draw_task_mesh});
}

}  // namespace sublet::render
