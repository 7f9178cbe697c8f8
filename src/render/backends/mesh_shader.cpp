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

namespace {

// Numbers of variants: of what the scene's vertices carry, and of the workgroup size.
std::size_t surface_of(const MeshShaderVariant& variant, const GpuScene& scene) {
    return variant.attributes == Attributes::kFetched ? 4U : (scene.has_uv ? 2U : 0U) + (scene.has_color ? 1U : 0U);
}

std::size_t size_of(const MeshShaderVariant& variant) {
    return static_cast<std::size_t>(std::countr_zero(variant.group / 32));
}

}  // namespace

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
    const std::size_t form = (variant.subgroup != SubgroupPath::kGeneral ? 8U : 0U) +
                             2 * static_cast<std::size_t>(variant.source) + (variant.local_output ? 1U : 0U);
    gpu::Shader shader;
    shader.spirv = variants[surface_of(variant, scene)][size_of(variant)][form];
    shader.specialization = {{0, variant.count ? 1U : 0U}, {1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

// The workgroup sizes of one surface: draws one by one, and several in a call.
#define BATCH_SIZES(surface)                                                                           \
    {                                                                                                  \
        {                                                                                              \
            {shaders::batch_32_##surface##_draw_mesh, shaders::batch_32_##surface##_draws_mesh},       \
                {shaders::batch_64_##surface##_draw_mesh, shaders::batch_64_##surface##_draws_mesh},   \
                {shaders::batch_128_##surface##_draw_mesh, shaders::batch_128_##surface##_draws_mesh}, \
                {shaders::batch_256_##surface##_draw_mesh, shaders::batch_256_##surface##_draws_mesh}, \
        }                                                                                              \
    }

gpu::Shader batch_mesh_shader(const MeshShaderVariant& variant, const GpuScene& scene) {
    using Forms = std::array<std::span<const std::uint32_t>, 2>;
    const std::array<std::array<Forms, 4>, 5> variants{{BATCH_SIZES(uv0_color0), BATCH_SIZES(uv0_color1),
                                                        BATCH_SIZES(uv1_color0), BATCH_SIZES(uv1_color1),
                                                        BATCH_SIZES(fetched)}};
    gpu::Shader shader;
    shader.spirv = variants[surface_of(variant, scene)][size_of(variant)][variant.source == MeshSource::kDraws ? 1 : 0];
    shader.specialization = {{1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    return shader;
}

// The workgroup sizes of one surface, then the smallest by subgroup operations.
#define PACKED_FORMS(surface)                                                               \
    {                                                                                       \
        {                                                                                   \
            shaders::packed_32_##surface##_mesh, shaders::packed_64_##surface##_mesh,       \
                shaders::packed_128_##surface##_mesh, shaders::packed_256_##surface##_mesh, \
                shaders::packed_32_##surface##_subgroup_mesh                                \
        }                                                                                   \
    }

gpu::Shader packed_mesh_shader(const MeshShaderVariant& variant, const gpu::Capabilities& capabilities,
                               const GpuScene& scene) {
    using Forms = std::array<std::span<const std::uint32_t>, 5>;
    const std::array<Forms, 5> variants{{PACKED_FORMS(uv0_color0), PACKED_FORMS(uv0_color1), PACKED_FORMS(uv1_color0),
                                         PACKED_FORMS(uv1_color1), PACKED_FORMS(fetched)}};
    // The setting is what the compute pass before does.
    const bool subgroup =
        variant.group == 32 && variant.subgroup != SubgroupPath::kGeneral &&
        subgroups_of(variant.subgroup == SubgroupPath::k32 ? 32 : 64, VK_SHADER_STAGE_MESH_BIT_EXT, capabilities);
    gpu::Shader shader;
    shader.spirv = variants[surface_of(variant, scene)][subgroup ? 4 : size_of(variant)];
    shader.specialization = {{1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    if (subgroup) shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

}  // namespace sublet::render
