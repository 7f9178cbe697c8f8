#include "render/cull/cull_state.h"

#include "gpu/barriers.h"

namespace sublet::render {

static_assert(shared::kMostMeshGroups == shared::kMeshDraws * shared::kMeshDrawGroups);
static_assert(sizeof(shared::DispatchCommand) == sizeof(VkDispatchIndirectCommand));
static_assert(sizeof(shared::DispatchCommand) == sizeof(VkDrawMeshTasksIndirectCommandEXT));
static_assert(sizeof(shared::DrawCommand) == sizeof(VkDrawIndirectCommand));
static_assert(sizeof(shared::DrawIndexedCommand) == sizeof(VkDrawIndexedIndirectCommand));

shared::CullState initial_cull_state() {
    shared::CullState out{};
    out.survivors.triangle_groups.y = shared::kDrawClasses;
    out.survivors.triangle_groups.z = 1;
    for (shared::ClassSurvivors& survivors : out.survivors.classes) survivors.draw.vertices = shared::kMeshletSize * 3;
    out.draws.raster.groups.y = out.draws.raster.groups.z = 1;
    for (shared::ClassDraws& draws : out.draws.classes) {
        for (shared::DispatchCommand& draw : draws.mesh_draws) draw.z = 1;
    }
    return out;
}

void reset_survivor_lists(VkCommandBuffer commands, const gpu::Buffer& cull_state) {
    const shared::CullState state = initial_cull_state();
    gpu::memory_barrier(commands, gpu::kDraw | gpu::kColorAttachment | gpu::kDepthAttachment,
                        gpu::kCompute | gpu::kTransferWrite | gpu::kColorAttachment | gpu::kDepthAttachment);
    vkCmdUpdateBuffer(commands, cull_state.handle(), offsetof(shared::CullState, survivors), sizeof(state.survivors),
                      &state.survivors);
    vkCmdUpdateBuffer(commands, cull_state.handle(), offsetof(shared::CullState, draws), sizeof(state.draws),
                      &state.draws);
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kConsume | gpu::kTransferWrite);
}

}  // namespace sublet::render
