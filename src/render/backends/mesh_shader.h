// The variants of the mesh shader and the task shader, chosen by settings.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/pipeline.h"
#include "gpu/resources.h"
#include "render/settings/frame_plan.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// Where a mesh shader's sublets come from.
enum class MeshSource : std::uint8_t {
    kList,              // the list of survivors
    kTaskFlat,          // a task shader's payload
    kTaskHierarchical,  // a task shader's payload of the other form
    kTaskPacked,        // masks, by a task shader's payload (packed_mesh_shader())
};

struct MeshShaderVariant {
    std::uint32_t group = 32;  // lanes of a workgroup
    SubgroupPath subgroup = SubgroupPath::kGeneral;
    MeshSource source = MeshSource::kList;
    bool encoded = true;
    bool count = true;
    bool local_output = false;
    std::uint32_t required_subgroup_size = 0;  // 0: the device's own is the one that `subgroup` wants
};

// Push constants of backends/task_constants.glsl.
struct MeshConstants {
    std::uint32_t draw_class, first_group, task_count;
};

// From resolved settings.
[[nodiscard]] MeshShaderVariant mesh_shader_variant(const FramePlan& plan, const gpu::Capabilities& capabilities,
                                                    MeshSource source);

// The mesh shader of sublets (backends/sublet.mesh).
[[nodiscard]] gpu::Shader mesh_shader(const MeshShaderVariant& variant);

// The mesh shader of batches (backends/batch.mesh), of the same variant; its source is one of the two draws.
[[nodiscard]] gpu::Shader batch_mesh_shader(const MeshShaderVariant& variant);

// The mesh shader of what packed.task packs (backends/packed.mesh), of the same variant.
[[nodiscard]] gpu::Shader packed_mesh_shader(const MeshShaderVariant& variant, const gpu::Capabilities& capabilities);

// Where the indirect draws of one class begin in the cull state.
[[nodiscard]] constexpr VkDeviceSize mesh_draws_offset(std::uint32_t draw_class) {
    return offsetof(shared::CullState, mesh_draws) +
           VkDeviceSize{draw_class} * shared::kMeshDraws * sizeof(VkDrawMeshTasksIndirectCommandEXT);
}

// The indirect draws of one class that culling grew in the cull state (mesh_draws), `groups` of them at most over all:
// a call for every 2^22 workgroups that there may be, which draws nothing where there are none. `constants`: the
// pipeline's push constants; its member `first_group` becomes the first workgroup of each draw.
template <class Constants>
void record_mesh_draws(VkCommandBuffer commands, const gpu::Capabilities& capabilities, const gpu::Pipeline& pipeline,
                       const gpu::Buffer& cull_state, std::uint32_t draw_class, std::uint32_t groups,
                       Constants constants) {
    const VkBuffer state = cull_state.handle();
    const VkDeviceSize count = offsetof(shared::CullState, mesh_draw_counts) + VkDeviceSize{draw_class} * 4;
    constexpr std::uint32_t kStride = sizeof(VkDrawMeshTasksIndirectCommandEXT);
    for (std::uint32_t draw = 0; draw * shared::kMeshDrawGroups < groups; ++draw) {
        if constexpr (requires { constants.first_group; }) constants.first_group = draw * shared::kMeshDrawGroups;
        pipeline.push(commands, constants);
        const VkDeviceSize offset = mesh_draws_offset(draw_class) + VkDeviceSize{draw} * kStride;
        if (capabilities.draw_count) {
            // One at most: a class without survivors costs no draw. Draws with a count and draws without one are not to
            // be mixed in a command buffer: lavapipe would take the last count for those that have none.
            vkCmdDrawMeshTasksIndirectCountEXT(commands, state, offset, state, count, 1, kStride);
        } else {
            vkCmdDrawMeshTasksIndirectEXT(commands, state, offset, 1, kStride);
        }
    }
}

}  // namespace sublet::render
