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

gpu::Shader mesh_shader(const MeshShaderVariant& variant) {
    using Spirv = std::span<const std::uint32_t>;
    // By log2(group / 32), then by subgroup path and draw index.
    const std::array<std::array<Spirv, 4>, 4> variants{{
        {shaders::sublet_32_mesh, shaders::sublet_32_draws_mesh, shaders::sublet_32_subgroup_mesh,
         shaders::sublet_32_subgroup_draws_mesh},
        {shaders::sublet_64_mesh, shaders::sublet_64_draws_mesh, shaders::sublet_64_subgroup_mesh,
         shaders::sublet_64_subgroup_draws_mesh},
        {shaders::sublet_128_mesh, shaders::sublet_128_draws_mesh, shaders::sublet_128_subgroup_mesh,
         shaders::sublet_128_subgroup_draws_mesh},
        {shaders::sublet_256_mesh, shaders::sublet_256_draws_mesh, shaders::sublet_256_subgroup_mesh,
         shaders::sublet_256_subgroup_draws_mesh},
    }};
    const auto size = static_cast<std::size_t>(std::countr_zero(variant.group / 32));
    const std::size_t form = (variant.subgroup != SubgroupPath::kGeneral ? 2U : 0U) + (variant.draw_index ? 1U : 0U);
    gpu::Shader shader;
    shader.spirv = variants[size][form];
    shader.specialization = {{0, variant.count ? 1U : 0U}, {1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

}  // namespace sublet::render
