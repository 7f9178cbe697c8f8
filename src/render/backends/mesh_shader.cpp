#include "render/backends/mesh_shader.h"

#include <array>
#include <span>

#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

std::vector<gpu::Specialization> constants(const FramePlan& plan) {
    return {{shared::kSpecEncoded, encoded_as(plan)}, {shared::kSpecMeshLanes, plan.meshlet_workgroup}};
}

// A shader for 32 lanes, and one for more.
struct Sizes {
    std::span<const std::uint32_t> narrow, wide;

    [[nodiscard]] gpu::Shader of(const FramePlan& plan) const {
        return {.spirv = plan.meshlet_workgroup > shared::kSubletSize ? wide : narrow,
                .specialization = constants(plan)};
    }
};

// By subgroup operations.
gpu::Shader subgroup_shader(std::span<const std::uint32_t> spirv, const FramePlan& plan) {
    return {.spirv = spirv,
            .specialization = constants(plan),
            .required_subgroup_size = plan.device.required_subgroup_size};
}

}  // namespace

gpu::Shader mesh_shader(const FramePlan& plan, MeshSource source) {
    static const std::array<Sizes, 4> general{
        {{shaders::sublet_list_mesh, shaders::sublet_list_wide_mesh},
         {shaders::sublet_flat_mesh, shaders::sublet_flat_wide_mesh},
         {shaders::sublet_hierarchical_mesh, shaders::sublet_hierarchical_wide_mesh},
         {shaders::node_draw_mesh, shaders::node_draw_mesh}}};
    static const std::array<std::span<const std::uint32_t>, 3> subgroup{shaders::sublet_list_subgroup_mesh,
                                                                        shaders::sublet_flat_subgroup_mesh,
                                                                        shaders::sublet_hierarchical_subgroup_mesh};
    const auto from = static_cast<std::size_t>(source);
    const bool subgroups = source != MeshSource::kNode && plan.subgroup != SubgroupPath::kGeneral &&
                           plan.meshlet_workgroup == shared::kSubletSize;
    gpu::Shader shader = subgroups ? subgroup_shader(subgroup[from], plan) : general[from].of(plan);
    shader.specialization.push_back({shared::kSpecCount, plan.collect_counters ? 1U : 0U});
    shader.specialization.push_back({shared::kSpecLocalOutput, plan.local_invocation_output ? 1U : 0U});
    return shader;
}

gpu::Shader batch_mesh_shader(const FramePlan& plan) {
    return Sizes{shaders::batch_mesh, shaders::batch_wide_mesh}.of(plan);
}

gpu::Shader packed_mesh_shader(const FramePlan& plan) {
    if (plan.device.packed_subgroups) return subgroup_shader(shaders::packed_subgroup_mesh, plan);
    return Sizes{shaders::packed_mesh, shaders::packed_wide_mesh}.of(plan);
}

}  // namespace sublet::render
