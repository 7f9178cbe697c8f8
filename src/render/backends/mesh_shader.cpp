#include "render/backends/mesh_shader.h"

#include <array>
#include <bit>
#include <cstddef>

#include "shaders/embedded.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

bool mesh_draws_in_one_call(const gpu::Capabilities& capabilities) {
    return capabilities.multi_draw && capabilities.draw_count && capabilities.draw_parameters;
}

MeshShaderVariant mesh_shader_variant(const RenderSettings& settings, const gpu::Capabilities& capabilities,
                                      MeshSource source) {
    MeshShaderVariant variant;
    variant.group = settings.meshlet_workgroup;
    variant.subgroup = settings.subgroup;
    variant.source = source;
    variant.encoded = settings.payload == Payload::kEncoded;
    variant.count = settings.collect_counters;
    variant.local_output = settings.local_invocation_output == AutoSwitch::kOn;
    variant.attributes = settings.attributes;
    if (variant.subgroup != SubgroupPath::kGeneral &&
        capabilities.min_subgroup_size != capabilities.max_subgroup_size) {
        variant.required_subgroup_size = variant.subgroup == SubgroupPath::k32 ? 32 : 64;
    }
    return variant;
}

// The forms of one workgroup size and surface: by subgroup path, then by MeshSource, then by who writes outputs.
#define SUBLET_SOURCES(name)                                                                          \
    shaders::name##_draw_mesh, shaders::name##_draw_local_mesh, shaders::name##_draws_mesh,           \
        shaders::name##_draws_local_mesh, shaders::name##_flat_mesh, shaders::name##_flat_local_mesh, \
        shaders::name##_hierarchical_mesh, shaders::name##_hierarchical_local_mesh
#define SUBLET_FORMS(name) \
    { SUBLET_SOURCES(name##_general), SUBLET_SOURCES(name##_subgroup) }
// The workgroup sizes of one surface.
#define SUBLET_SIZES(surface)                                                                                         \
    {                                                                                                                 \
        {                                                                                                             \
            SUBLET_FORMS(sublet_32_##surface), SUBLET_FORMS(sublet_64_##surface), SUBLET_FORMS(sublet_128_##surface), \
                SUBLET_FORMS(sublet_256_##surface)                                                                    \
        }                                                                                                             \
    }

gpu::Shader mesh_shader(const MeshShaderVariant& variant, const GpuScene& scene) {
    using Forms = std::array<std::span<const std::uint32_t>, 16>;
    const std::array<std::array<Forms, 4>, 5> variants{{SUBLET_SIZES(uv0_color0), SUBLET_SIZES(uv0_color1),
                                                        SUBLET_SIZES(uv1_color0), SUBLET_SIZES(uv1_color1),
                                                        SUBLET_SIZES(fetched)}};
    const std::size_t surface =
        variant.attributes == Attributes::kFetched ? 4U : (scene.has_uv ? 2U : 0U) + (scene.has_color ? 1U : 0U);
    const auto size = static_cast<std::size_t>(std::countr_zero(variant.group / 32));
    const std::size_t form = (variant.subgroup != SubgroupPath::kGeneral ? 8U : 0U) +
                             2 * static_cast<std::size_t>(variant.source) + (variant.local_output ? 1U : 0U);
    gpu::Shader shader;
    shader.spirv = variants[surface][size][form];
    shader.specialization = {{0, variant.count ? 1U : 0U}, {1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

void record_mesh_draws(VkCommandBuffer commands, const gpu::Pipeline& pipeline, const gpu::Buffer& cull_state,
                       std::uint32_t draw_class, std::uint32_t groups, bool in_one_call) {
    constexpr std::uint32_t kStride = sizeof(VkDrawMeshTasksIndirectCommandEXT);
    const VkDeviceSize draws =
        offsetof(shared::CullState, mesh_draws) + VkDeviceSize{draw_class} * shared::kMeshDraws * kStride;
    if (in_one_call) {
        const VkDeviceSize count = offsetof(shared::CullState, mesh_draw_counts) + VkDeviceSize{draw_class} * 4;
        pipeline.push(commands, MeshConstants{draw_class, 0, 0});
        vkCmdDrawMeshTasksIndirectCountEXT(commands, cull_state.handle(), draws, cull_state.handle(), count,
                                           shared::kMeshDraws, kStride);
        return;
    }
    // One by one: a draw for every 2^22 workgroups that there may be, empty where there are none.
    for (std::uint32_t draw = 0; draw * shared::kMeshDrawGroups < groups; ++draw) {
        pipeline.push(commands, MeshConstants{draw_class, draw * shared::kMeshDrawGroups, 0});
        vkCmdDrawMeshTasksIndirectEXT(commands, cull_state.handle(), draws + VkDeviceSize{draw} * kStride, 1, kStride);
    }
}

}  // namespace sublet::render
