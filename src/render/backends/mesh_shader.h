// The variants of the mesh shaders, chosen by the plan, and the indirect draws of their workgroups.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/pipeline.h"
#include "render/cull/cull_state.h"
#include "render/cull/phase.h"
#include "shaders/shared/passes.h"

namespace sublet::render {

// Where a mesh shader's sublets come from.
enum class MeshSource : std::uint8_t {
    kList,              // the list of survivors
    kTaskFlat,          // a task shader's payload
    kTaskHierarchical,  // a task shader's payload of the other form
    kNode,              // the payload of a node of an execution graph
};

// The mesh shader of sublets (backends/sublet.mesh).
[[nodiscard]] gpu::Shader mesh_shader(const FramePlan& plan, MeshSource source);

// The mesh shader of batches (backends/batch.mesh).
[[nodiscard]] gpu::Shader batch_mesh_shader(const FramePlan& plan);

// The mesh shader of what packed.task packs (backends/packed.mesh).
[[nodiscard]] gpu::Shader packed_mesh_shader(const FramePlan& plan);

// The indirect draws of one class that culling grew in the cull state (mesh_draws), `groups` of them at most over all:
// a call for every 2^22 workgroups that there may be, which draws nothing where there are none. `constants`: the
// pipeline's push constants; its member `first_group` becomes the first workgroup of each draw.
template <class Constants>
void record_mesh_draws(const PhaseContext& context, const gpu::Pipeline& pipeline, std::uint32_t draw_class,
                       std::uint32_t groups, Constants constants) {
    const gpu::Commands commands = context.frame.commands;
    const VkBuffer state = context.cull_states().handle();
    const VkDeviceSize draws = context.in_state(draws_offset(draw_class));
    const VkDeviceSize count = draws + offsetof(shared::ClassDraws, mesh_draw_count);
    const VkDeviceSize first = draws + offsetof(shared::ClassDraws, mesh_draws);
    constexpr std::uint32_t kStride = sizeof(VkDrawMeshTasksIndirectCommandEXT);
    for (std::uint32_t draw = 0; draw * shared::kMeshDrawGroups < groups; ++draw) {
        if constexpr (requires { constants.first_group; }) constants.first_group = draw * shared::kMeshDrawGroups;
        pipeline.push(commands, constants);
        const VkDeviceSize offset = first + VkDeviceSize{draw} * kStride;
        if (context.plan.device.draw_count) {
            // One at most: a class without survivors costs no draw. Draws with a count and draws without one are not to
            // be mixed in a command buffer: lavapipe would take the last count for those that have none.
            commands(vkCmdDrawMeshTasksIndirectCountEXT, state, offset, state, count, 1, kStride);
        } else {
            commands(vkCmdDrawMeshTasksIndirectEXT, state, offset, 1, kStride);
        }
    }
}

}  // namespace sublet::render
