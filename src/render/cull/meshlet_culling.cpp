#include "render/cull/meshlet_culling.h"

#include <algorithm>

#include "gpu/barriers.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kInstanceGroup = 128;  // cull/instances.comp's local size

std::vector<gpu::Binding> bindings(std::uint32_t count) {
    std::vector<gpu::Binding> out{{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}};
    for (std::uint32_t i = 1; i < count; ++i) {
        out.push_back({i});
    }
    return out;
}

gpu::ComputePipelineDesc meshlets_desc(const MeshletCulling::Options& options) {
    gpu::ComputePipelineDesc desc;
    desc.name = "cull meshlets";
    desc.layout.bindings = bindings(15);
    desc.shader.specialization = {{0, options.count ? 1U : 0U}, phase_constant(options.phase)};
    if (options.output == CullOutput::kSublets) {
        desc.shader.spirv = shaders::cull_sublets_comp;
        desc.shader.specialization.push_back({1, options.sublets_per_group});
    } else {
        desc.shader.spirv = shaders::cull_meshlets_comp;
        desc.shader.specialization.push_back({1, options.output == CullOutput::kMeshletDraws ? 1U : 0U});
        desc.shader.specialization.push_back({2, options.first_instance ? 1U : 0U});
    }
    return desc;
}

}  // namespace

MeshletCulling::MeshletCulling(gpu::Device& device, const Options& options)
    : instances_(device, gpu::ComputePipelineDesc{.name = "cull instances",
                                                  .shader = {.spirv = shaders::cull_instances_comp,
                                                             .specialization = {{0, options.count ? 1U : 0U},
                                                                                phase_constant(options.phase)}},
                                                  .layout = {.bindings = bindings(11)}}),
      meshlets_(device, meshlets_desc(options)),
      output_(options.output) {}

void MeshletCulling::record(const RecordContext& context, const gpu::Buffer& work_list,
                            const SurvivorLists& lists) const {
    VkCommandBuffer commands = context.frame.commands;
    const GpuScene& scene = context.scene;
    {
        const auto pass = context.pass("cull instances");
        std::vector<gpu::Descriptor> descriptors{
            gpu::buffer_at(0, context.frame_data), gpu::buffer_at(1, scene.meshes), gpu::buffer_at(2, scene.instances),
            gpu::buffer_at(3, scene.materials),    gpu::buffer_at(4, scene.tasks),  gpu::buffer_at(5, work_list),
            gpu::buffer_at(6, context.cull_state)};
        add_phase_descriptors(descriptors, 7, context.phase_buffers);
        context.frame.descriptors->bind(commands, instances_, descriptors);
        const std::uint32_t groups = (scene.task_count + kInstanceGroup - 1) / kInstanceGroup;
        vkCmdDispatch(commands, std::min(groups, shared::kDispatchRow),
                      (groups + shared::kDispatchRow - 1) / shared::kDispatchRow, 1);
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
    }
    const auto pass = context.pass("cull meshlets");
    const gpu::Buffer& last = output_ == CullOutput::kSublets        ? scene.sublet_bounds
                              : output_ == CullOutput::kMeshletDraws ? lists.draws
                                                                     : lists.survivors;
    std::vector<gpu::Descriptor> descriptors{gpu::buffer_at(0, context.frame_data),
                                             gpu::buffer_at(1, scene.meshes),
                                             gpu::buffer_at(2, scene.instances),
                                             gpu::buffer_at(3, scene.materials),
                                             gpu::buffer_at(4, scene.tasks),
                                             gpu::buffer_at(5, work_list),
                                             gpu::buffer_at(6, context.cull_state),
                                             gpu::buffer_at(7, scene.meshlet_bounds),
                                             gpu::buffer_at(8, scene.meshlet_ranges),
                                             gpu::buffer_at(9, lists.survivors),
                                             gpu::buffer_at(10, last)};
    add_phase_descriptors(descriptors, 11, context.phase_buffers);
    context.frame.descriptors->bind(commands, meshlets_, descriptors);
    vkCmdDispatchIndirect(commands, context.cull_state.handle(), offsetof(shared::CullState, dispatch));
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
}

}  // namespace sublet::render
