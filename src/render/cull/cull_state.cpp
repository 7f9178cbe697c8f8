#include "render/cull/cull_state.h"

namespace sublet::render {

static_assert(shared::kMostMeshGroups == shared::kMeshDraws * shared::kMeshDrawGroups);
static_assert(sizeof(shared::DispatchCommand) == sizeof(VkDispatchIndirectCommand));
static_assert(sizeof(shared::DispatchCommand) == sizeof(VkDrawMeshTasksIndirectCommandEXT));
static_assert(sizeof(shared::DrawCommand) == sizeof(VkDrawIndirectCommand));
static_assert(sizeof(shared::DrawIndexedCommand) == sizeof(VkDrawIndexedIndirectCommand));

shared::CullState initial_cull_state(std::uint32_t classes) {
    shared::CullState out{};
    out.survivors.triangle_groups.y = classes;
    out.survivors.triangle_groups.z = 1;
    for (shared::ClassSurvivors& survivors : out.survivors.classes) survivors.draw.vertices = shared::kMeshletSize * 3;
    for (shared::DispatchCommand& groups : out.draws.raster.medium_groups) {
        groups.y = groups.z = 1;
    }
    out.draws.raster.groups.y = out.draws.raster.groups.z = 1;
    out.undone.groups.z = 1;
    out.queued.groups.z = 1;
    out.undone.tasks.vertices = kTaskVertices;
    for (shared::ClassDraws& draws : out.draws.classes) {
        for (shared::DispatchCommand& draw : draws.mesh_draws) draw.z = 1;
    }
    return out;
}

}  // namespace sublet::render
