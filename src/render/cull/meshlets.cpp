#include "render/cull/meshlets.h"

#include <span>
#include <string>

#include "base/error.h"
#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"

namespace sublet::render {
namespace {

struct RoundTasks {  // cull/source.glsl
    shared::uvec4 first, count;
};

constexpr std::uint32_t kInstanceGroup = 128;  // cull/instances.comp's local size

struct Variants {
    std::span<const std::uint32_t> instances, meshlets, sublets, runs;
};

Variants variants(ExpansionStrategy expansion) {
    using namespace shaders;
    switch (expansion) {
        case ExpansionStrategy::kMaxN:
            return {cull_instances_max_n_comp, cull_meshlets_max_n_comp, cull_sublets_max_n_comp, cull_runs_max_n_comp};
        case ExpansionStrategy::kPerItem:
            return {cull_instances_per_item_comp, cull_meshlets_per_item_comp, cull_sublets_per_item_comp,
                    cull_runs_per_item_comp};
        case ExpansionStrategy::kLinear:
            return {cull_instances_linear_comp, cull_meshlets_linear_comp, cull_sublets_linear_comp,
                    cull_runs_linear_comp};
        case ExpansionStrategy::kPrefixSum:
            return {cull_instances_prefix_sum_comp, cull_meshlets_prefix_sum_comp, cull_sublets_prefix_sum_comp,
                    cull_runs_prefix_sum_comp};
        case ExpansionStrategy::kScan:
            return {cull_instances_scan_comp, cull_meshlets_scan_comp, cull_sublets_scan_comp, cull_runs_scan_comp};
        case ExpansionStrategy::kBuckets:
            return {cull_instances_buckets_comp, cull_meshlets_buckets_comp, cull_sublets_buckets_comp,
                    cull_runs_buckets_comp};
        case ExpansionStrategy::kTaskList:
            return {cull_instances_task_list_comp, cull_meshlets_task_list_comp, cull_sublets_task_list_comp,
                    cull_runs_task_list_comp};
    }
    throw Error("renderer", "expansion", "has no shaders");
}

gpu::ComputePipelineDesc meshlets_desc(const MeshletCulling& options) {
    gpu::ComputePipelineDesc desc;
    desc.name = "cull meshlets";
    desc.layout.bindings = buffer_bindings(options.output == CullOutput::kRunDraws  ? 18
                                           : options.output == CullOutput::kSublets ? 17
                                                                                    : 16);
    desc.shader.specialization = {
        {0, options.count ? 1U : 0U}, phase_constant(options.phase), primitive_bits_constant(options.primitive_bits)};
    if (options.output == CullOutput::kSublets) {
        desc.shader.spirv = variants(options.expansion).sublets;
        desc.shader.specialization.push_back({1, options.sublets_per_group});
    } else if (options.output == CullOutput::kRunDraws) {
        desc.shader.spirv = variants(options.expansion).runs;
        desc.shader.specialization.push_back({2, options.first_instance ? 1U : 0U});
    } else {
        desc.shader.spirv = variants(options.expansion).meshlets;
        desc.shader.specialization.push_back({1, options.output == CullOutput::kMeshletDraws ? 1U : 0U});
        desc.shader.specialization.push_back({2, options.first_instance ? 1U : 0U});
    }
    return desc;
}

gpu::ComputePipelineDesc instances_desc(const MeshletCulling& options) {
    return {.name = "cull instances",
            .shader = {.spirv = variants(options.expansion).instances,
                       .specialization = {{0, options.count ? 1U : 0U}, phase_constant(options.phase)}},
            .layout = {.bindings = buffer_bindings(12), .push_constant_bytes = sizeof(RoundTasks)}};
}

}  // namespace

void cull_meshlets(const RecordContext& context, const MeshletCulling& culling, const Expansion& expansion,
                   const SurvivorLists& lists, std::size_t round) {
    VkCommandBuffer commands = context.frame.commands;
    const GpuScene& scene = context.scene;
    const bool task_list = culling.expansion == ExpansionStrategy::kTaskList;
    const std::size_t state = context.phase == CullPhase::kSecond ? 1 : 0;
    const std::vector<gpu::Descriptor> shared_descriptors{
        gpu::buffer_at(0, context.frame_data),
        gpu::buffer_at(1, scene.meshes),
        gpu::buffer_at(2, scene.instances),
        gpu::buffer_at(3, scene.materials),
        gpu::buffer_at(4, task_list ? scene.tasks : scene.first_tasks),
        expansion.list_at(5),
        gpu::buffer_at(6, context.cull_state)};
    {
        const auto pass = context.pass("cull instances");
        if (round != 0) expansion.record_reset(commands, state);
        const gpu::Pipeline& pipeline = context.pipelines.get(instances_desc(culling));
        std::vector<gpu::Descriptor> descriptors = shared_descriptors;
        descriptors.push_back(expansion.state_at(7, state));
        add_phase_descriptors(descriptors, 8, context.phase_buffers);
        context.frame.descriptors->bind(commands, pipeline, descriptors);
        const SurvivorPlan::Round& these = survivor_plan(scene, culling.output).rounds[round];
        const shared::uvec4 first{these.first_task[0], these.first_task[1], these.first_task[2], 0};
        const shared::uvec4 count{these.tasks[0], these.tasks[1], these.tasks[2], 0};
        pipeline.push(commands, RoundTasks{first, count});
        const std::uint32_t sources = task_list ? count.x + count.y + count.z : scene.instance_count;
        const std::uint32_t groups = (sources + kInstanceGroup - 1) / kInstanceGroup;
        dispatch_rows(commands, groups);
    }
    expansion.record_pushed(context.frame, context.profiler, context.pass_name("scan counts").c_str());
    const auto pass = context.pass("cull meshlets");
    const bool runs = culling.output == CullOutput::kRunDraws;
    const bool sublets = culling.output == CullOutput::kSublets;
    const gpu::Buffer& tenth = sublets || runs                               ? scene.sublet_bounds
                               : culling.output == CullOutput::kMeshletDraws ? lists.draws
                                                                             : lists.survivors;
    std::vector<gpu::Descriptor> descriptors = shared_descriptors;
    descriptors.insert(descriptors.end(),
                       {gpu::buffer_at(7, scene.meshlet_bounds),
                        gpu::buffer_at(8, sublets ? scene.first_sublets : scene.meshlet_ranges),
                        gpu::buffer_at(9, lists.survivors), gpu::buffer_at(10, tenth), expansion.state_at(11, state)});
    add_phase_descriptors(descriptors, 12, context.phase_buffers);
    if (runs) {
        descriptors.push_back(gpu::buffer_at(16, lists.draws));
        descriptors.push_back(gpu::buffer_at(17, scene.streams));
    } else if (sublets) {
        descriptors.push_back(gpu::buffer_at(16, *context.phase_buffers.triangles_before));
    }
    context.frame.descriptors->bind(commands, context.pipelines.get(meshlets_desc(culling)), descriptors);
    expansion.record_dispatch(commands, state);
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kConsume);
}

}  // namespace sublet::render
