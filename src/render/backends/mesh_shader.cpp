#include "render/backends/mesh_shader.h"

#include <array>
#include <bit>

#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

// The number of a workgroup size among 32, 64, 128 and 256.
std::size_t size_of(const FramePlan& plan) {
    return static_cast<std::size_t>(std::countr_zero(plan.meshlet_workgroup / 32));
}

std::vector<gpu::Specialization> constants(const FramePlan& plan) {
    return {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U},
            {shared::kSpecMeshLanes, plan.meshlet_workgroup}};
}

}  // namespace

// The forms of one workgroup size: by subgroup path, then by MeshSource.
#define SUBLET_SOURCES(name) shaders::name##_list_mesh, shaders::name##_flat_mesh, shaders::name##_hierarchical_mesh
#define SUBLET_FORMS(name) \
    { SUBLET_SOURCES(name##_general), SUBLET_SOURCES(name##_subgroup) }

gpu::Shader mesh_shader(const FramePlan& plan, MeshSource source) {
    using Forms = std::array<std::span<const std::uint32_t>, 6>;
    const std::array<Forms, 4> variants{
        {SUBLET_FORMS(sublet_32), SUBLET_FORMS(sublet_64), SUBLET_FORMS(sublet_128), SUBLET_FORMS(sublet_256)}};
    const std::size_t form = (plan.subgroup != SubgroupPath::kGeneral ? 3U : 0U) + static_cast<std::size_t>(source);
    gpu::Shader shader;
    shader.spirv = variants[size_of(plan)][form];
    shader.specialization = constants(plan);
    shader.specialization.push_back({shared::kSpecCount, plan.collect_counters ? 1U : 0U});
    shader.specialization.push_back({shared::kSpecLocalOutput, plan.local_invocation_output ? 1U : 0U});
    shader.required_subgroup_size = plan.device.required_subgroup_size;
    return shader;
}

gpu::Shader batch_mesh_shader(const FramePlan& plan) {
    const std::array<std::span<const std::uint32_t>, 4> variants{shaders::batch_32_mesh, shaders::batch_64_mesh,
                                                                 shaders::batch_128_mesh, shaders::batch_256_mesh};
    gpu::Shader shader;
    shader.spirv = variants[size_of(plan)];
    shader.specialization = constants(plan);
    return shader;
}

gpu::Shader packed_mesh_shader(const FramePlan& plan) {
    // By workgroup size; then the smallest by subgroup operations.
    const std::array<std::span<const std::uint32_t>, 5> variants{shaders::packed_32_mesh, shaders::packed_64_mesh,
                                                                 shaders::packed_128_mesh, shaders::packed_256_mesh,
                                                                 shaders::packed_32_subgroup_mesh};
    gpu::Shader shader;
    shader.spirv = variants[plan.device.packed_subgroups ? 4 : size_of(plan)];
    shader.specialization = constants(plan);
    if (plan.device.packed_subgroups) shader.required_subgroup_size = plan.device.required_subgroup_size;
    return shader;
}

}  // namespace sublet::render
