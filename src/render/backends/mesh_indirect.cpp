// Mesh shaders behind culling in compute down to triangles, packed into batches and drawn by
// vkCmdDrawMeshTasksIndirectCountEXT with the 2-D draws that the primitive pass grew in place. Reads: encoded or
// decoded sublets, batches. Writes: ids, depth.
#include "render/backends/mesh_shader.h"
#include "render/backends/triangle_backend.h"

namespace sublet::render {
namespace {

// Batches are as large as workgroups.
std::uint32_t mesh_indirect_form(const FramePlan& plan) {
    return plan.meshlet_workgroup;
}

GeometryStages mesh_indirect_stages(const FramePlan& plan) {
    GeometryStages out;
    out.name = "mesh-indirect";
    out.mesh = batch_mesh_shader(plan);
    out.id = IdSource::kPerPrimitive;
    return out;
}

void draw_mesh_indirect(const PhaseContext& context, const gpu::Pipeline& pipeline, const PrimitivePass& triangles,
                        std::uint32_t draw_class) {
    const shared::TriangleRegion& region = triangles.regions()[draw_class];
    record_mesh_draws(context, pipeline, draw_class, triangles.headers()[draw_class],
                      shared::BatchConstants{draw_class, 0, region.first_word, region.first_header});
}

}  // namespace

std::unique_ptr<BackendBase> make_mesh_indirect(gpu::Device& device) {
    return make_triangle_backend(
        device, {.form = mesh_indirect_form, .stages = mesh_indirect_stages, .draw = draw_mesh_indirect});
}

}  // namespace sublet::render
