#include "render/backends/mesh_shader.h"

#include <array>
#include <bit>

#include "shaders/embedded.h"

namespace sublet::render {

MeshShaderVariant mesh_shader_variant(const RenderSettings& settings, const gpu::Capabilities& capabilities) {
    MeshShaderVariant variant{
        .group = settings.meshlet_workgroup,
        .subgroup = settings.subgroup,
        .encoded = settings.payload == Payload::kEncoded,
        .count = settings.collect_counters,
        .draw_index = capabilities.multi_draw && capabilities.draw_count && capabilities.draw_parameters};
    if (variant.subgroup != SubgroupPath::kGeneral &&
        capabilities.min_subgroup_size != capabilities.max_subgroup_size) {
        variant.required_subgroup_size = variant.subgroup == SubgroupPath::k32 ? 32 : 64;
    }
    return variant;
}

// The forms of one workgroup size and surface: by subgroup path, then by draw index.
#define SUBLET_FORMS(name)                                                               \
    {                                                                                    \
        shaders::name##_mesh, shaders::name##_draws_mesh, shaders::name##_subgroup_mesh, \
            shaders::name##_subgroup_draws_mesh                                          \
    }
// The workgroup sizes of one surface.
#define SUBLET_SIZES(surface)                                                                                         \
    {                                                                                                                 \
        {                                                                                                             \
            SUBLET_FORMS(sublet_32_##surface), SUBLET_FORMS(sublet_64_##surface), SUBLET_FORMS(sublet_128_##surface), \
                SUBLET_FORMS(sublet_256_##surface)                                                                    \
        }                                                                                                             \
    }

gpu::Shader mesh_shader(const MeshShaderVariant& variant, const GpuScene& scene) {
    using Forms = std::array<std::span<const std::uint32_t>, 4>;
    const std::array<std::array<Forms, 4>, 4> variants{
        {SUBLET_SIZES(uv0_color0), SUBLET_SIZES(uv0_color1), SUBLET_SIZES(uv1_color0), SUBLET_SIZES(uv1_color1)}};
    const std::size_t surface = (scene.has_uv ? 2U : 0U) + (scene.has_color ? 1U : 0U);
    const auto size = static_cast<std::size_t>(std::countr_zero(variant.group / 32));
    const std::size_t form = (variant.subgroup != SubgroupPath::kGeneral ? 2U : 0U) + (variant.draw_index ? 1U : 0U);
    gpu::Shader shader;
    shader.spirv = variants[surface][size][form];
    shader.specialization = {{0, variant.count ? 1U : 0U}, {1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

}  // namespace sublet::render
