#include "render/backends/mesh_shader.h"

#include <array>
#include <bit>
#include <cstddef>

#include "shaders/embedded.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

MeshShaderVariant mesh_shader_variant(const FramePlan& plan, const gpu::Capabilities& capabilities, MeshSource source) {
    MeshShaderVariant variant;
    variant.group = plan.meshlet_workgroup;
    variant.subgroup = plan.subgroup;
    variant.source = source;
    variant.encoded = plan.payload == Payload::kEncoded;
    variant.count = plan.collect_counters;
    variant.local_output = plan.local_invocation_output;
    if (variant.subgroup != SubgroupPath::kGeneral &&
        capabilities.min_subgroup_size != capabilities.max_subgroup_size) {
        variant.required_subgroup_size = variant.subgroup == SubgroupPath::k32 ? 32 : 64;
    }
    return variant;
}

namespace {

// The number of a workgroup size among 32, 64, 128 and 256.
std::size_t size_of(const MeshShaderVariant& variant) {
    return static_cast<std::size_t>(std::countr_zero(variant.group / 32));
}

}  // namespace

// The forms of one workgroup size: by subgroup path, then by MeshSource.
#define SUBLET_SOURCES(name) shaders::name##_list_mesh, shaders::name##_flat_mesh, shaders::name##_hierarchical_mesh
#define SUBLET_FORMS(name) \
    { SUBLET_SOURCES(name##_general), SUBLET_SOURCES(name##_subgroup) }

gpu::Shader mesh_shader(const MeshShaderVariant& variant) {
    using Forms = std::array<std::span<const std::uint32_t>, 6>;
    const std::array<Forms, 4> variants{
        {SUBLET_FORMS(sublet_32), SUBLET_FORMS(sublet_64), SUBLET_FORMS(sublet_128), SUBLET_FORMS(sublet_256)}};
    const std::size_t form =
        (variant.subgroup != SubgroupPath::kGeneral ? 3U : 0U) + static_cast<std::size_t>(variant.source);
    gpu::Shader shader;
    shader.spirv = variants[size_of(variant)][form];
    shader.specialization = {{0, variant.count ? 1U : 0U},
                             {1, variant.encoded ? 1U : 0U},
                             {2, variant.group},
                             {3, variant.local_output ? 1U : 0U}};
    shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

gpu::Shader batch_mesh_shader(const MeshShaderVariant& variant) {
    const std::array<std::span<const std::uint32_t>, 4> variants{shaders::batch_32_mesh, shaders::batch_64_mesh,
                                                                 shaders::batch_128_mesh, shaders::batch_256_mesh};
    gpu::Shader shader;
    shader.spirv = variants[size_of(variant)];
    shader.specialization = {{1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    return shader;
}

gpu::Shader packed_mesh_shader(const MeshShaderVariant& variant, const gpu::Capabilities& capabilities) {
    // By workgroup size; then the smallest by subgroup operations.
    const std::array<std::span<const std::uint32_t>, 5> variants{shaders::packed_32_mesh, shaders::packed_64_mesh,
                                                                 shaders::packed_128_mesh, shaders::packed_256_mesh,
                                                                 shaders::packed_32_subgroup_mesh};
    // The setting is what the compute pass before does.
    const bool subgroup =
        variant.group == 32 && variant.subgroup != SubgroupPath::kGeneral &&
        subgroups_of(variant.subgroup == SubgroupPath::k32 ? 32 : 64, VK_SHADER_STAGE_MESH_BIT_EXT, capabilities);
    gpu::Shader shader;
    shader.spirv = variants[subgroup ? 4 : size_of(variant)];
    shader.specialization = {{1, variant.encoded ? 1U : 0U}, {2, variant.group}};
    if (subgroup) shader.required_subgroup_size = variant.required_subgroup_size;
    return shader;
}

}  // namespace sublet::render
