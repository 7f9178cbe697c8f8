#include "render/scene/animate.h"

#include <algorithm>
#include <cstddef>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "scene/animation.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kAnimateLanes = 64;  // of a workgroup

gpu::ComputePipelineDesc channels_desc() {
    return {.name = "animate channels", .shader = {.spirv = shaders::animate_channels_comp}};
}

gpu::ComputePipelineDesc instances_desc() {
    return {.name = "animate instances", .shader = {.spirv = shaders::animate_instances_comp}};
}

gpu::ComputePipelineDesc joints_desc() {
    return {.name = "animate joints", .shader = {.spirv = shaders::animate_joints_comp}};
}

gpu::ComputePipelineDesc weights_desc() {
    return {.name = "animate weights", .shader = {.spirv = shaders::animate_weights_comp}};
}

gpu::ComputePipelineDesc visibility_desc() {
    return {.name = "animate visibility", .shader = {.spirv = shaders::animate_visibility_comp}};
}

gpu::ComputePipelineDesc materials_desc() {
    return {.name = "animate materials", .shader = {.spirv = shaders::animate_materials_comp}};
}

gpu::ComputePipelineDesc lights_desc() {
    return {.name = "animate lights", .shader = {.spirv = shaders::animate_lights_comp}};
}

// In pieces that one command takes.
void write_times(VkCommandBuffer commands, const gpu::Buffer& buffer, const std::vector<float>& times) {
    constexpr std::size_t kMost = 65536 / sizeof(float);
    for (std::size_t first = 0; first < times.size(); first += kMost) {
        const std::size_t count = std::min(times.size() - first, kMost);
        vkCmdUpdateBuffer(commands, buffer.handle(), first * sizeof(float), count * sizeof(float),
                          times.data() + first);
    }
}

// The mistake of bounds that don't follow: each scale as it was uploaded.
void keep_scales(VkCommandBuffer commands, const GpuScene& scene) {
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kTransferWrite);
    for (std::size_t i = 0; i < scene.instance_data.size(); ++i) {
        vkCmdUpdateBuffer(commands, scene.instances.handle(),
                          i * sizeof(shared::Instance) + offsetof(shared::Instance, scale), sizeof(float),
                          &scene.instance_data[i].scale);
    }
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kConsume);
}

// Records the dispatches of a pose.
struct Dispatcher {
    const FrameContext& context;
    const GpuScene& scene;
    std::uint32_t behind;  // PoseTarget

    // Nothing where there is nothing to do. The buffers are those of both lists.
    void run(const gpu::ComputePipelineDesc& desc, const std::vector<gpu::Descriptor>& first,
             const std::vector<gpu::Descriptor>& others, std::uint32_t per_copy, std::uint32_t copies) const {
        if (per_copy == 0) return;
        const SceneAnimation& animation = scene.animation;
        std::vector<gpu::Descriptor> set = first;
        set.insert(set.end(), others.begin(), others.end());
        const std::uint32_t count = per_copy * copies;
        context.bind(desc, set).push(
            context.frame.commands,
            shared::AnimateConstants{.count = count,
                                     .per_copy = per_copy,
                                     .matrices = animation.matrix_count,
                                     .driven = animation.driven_count,
                                     .animations = static_cast<std::uint32_t>(animation.lengths.size()),
                                     .first_matrix = scene.deform.first_matrix + behind,
                                     .first_weight = scene.deform.first_weight + behind,
                                     .weights = animation.weight_vectors});
        dispatch_rows(context.frame.commands, (count + kAnimateLanes - 1) / kAnimateLanes);
    }
};

}  // namespace

std::vector<float> animation_times(const GpuScene& scene, const scene::AnimationTimes& times) {
    const SceneAnimation& animation = scene.animation;
    std::vector<float> out;
    out.reserve(animation.lengths.size());
    for (std::size_t i = 0; i < animation.lengths.size(); ++i) {
        out.push_back(scene::looped_time(times.of(animation.numbers[i]), animation.lengths[i]));
    }
    return out;
}

void record_pose(const FrameContext& context, const GpuScene& scene, const std::vector<float>& times,
                 const PoseTarget& target) {
    const gpu::Commands commands = context.frame.commands;
    const SceneAnimation& animation = scene.animation;
    gpu::memory_barrier(commands, gpu::kEverything, gpu::kCompute | gpu::kTransferWrite);
    write_times(commands, animation.times, times);
    gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
    const Dispatcher dispatcher{context, scene, target.behind};
    const std::vector<gpu::Descriptor> keys{gpu::buffer_at(shared::kBindTimes, animation.times),
                                            gpu::buffer_at(shared::kBindTimeShifts, animation.time_shifts),
                                            gpu::buffer_at(shared::kBindChannels, animation.channels),
                                            gpu::buffer_at(shared::kBindKeys, animation.keys)};
    dispatcher.run(channels_desc(), keys, {gpu::buffer_at(shared::kBindLocalTransforms, animation.vectors)},
                   animation.channel_count, animation.copies);
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);
    const gpu::Descriptor placed = gpu::buffer_at(shared::kBindPlacedInstances, *target.instances);
    const gpu::Descriptor posed = gpu::buffer_at(shared::kBindWrittenDeformation, scene.deform.vectors);
    const std::vector<gpu::Descriptor> chains{gpu::buffer_at(shared::kBindLocalTransforms, animation.vectors),
                                              gpu::buffer_at(shared::kBindLinks, animation.links)};
    dispatcher.run(instances_desc(), chains, {gpu::buffer_at(shared::kBindMovedInstances, animation.moved), placed},
                   animation.moved_count, 1);
    dispatcher.run(joints_desc(), chains, {gpu::buffer_at(shared::kBindJoints, animation.joints), posed},
                   animation.joint_count, animation.copies);
    dispatcher.run(weights_desc(), keys, {gpu::buffer_at(shared::kBindMorphWeights, animation.weights), posed},
                   animation.weights_count, animation.copies);
    if (target.with_looks && animation.shown_count != 0) {
        gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kCompute);  // both write an instance's flags
        dispatcher.run(visibility_desc(), keys,
                       {gpu::buffer_at(shared::kBindShownInstances, animation.shown),
                        gpu::buffer_at(shared::kBindLinks, animation.links), placed},
                       animation.shown_count, 1);
    }
    if (target.with_looks) {
        dispatcher.run(materials_desc(), keys,
                       {gpu::buffer_at(shared::kBindMaterialDrivers, animation.drivers),
                        gpu::buffer_at(shared::kBindWrittenMaterials, scene.materials),
                        gpu::buffer_at(shared::kBindWrittenUvTransforms, scene.uv_transforms)},
                       animation.driver_count, 1);
    }
    if (target.with_looks && animation.light_count != 0) {
        std::vector<gpu::Descriptor> both = keys;
        both.insert(both.end(), chains.begin(), chains.end());
        dispatcher.run(lights_desc(), both,
                       {gpu::buffer_at(shared::kBindLightDrivers, animation.light_drivers),
                        gpu::buffer_at(shared::kBindWrittenLights, scene.lights.lights)},
                       animation.light_count, 1);
    }
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kConsume);
}

void record_animate(const FrameContext& context, const GpuScene& scene, const std::vector<float>& times) {
    const auto pass = context.pass("animate");
    record_pose(context, scene, times, {.instances = &scene.instances, .with_looks = true});
    if (context.hooks.fault == Fault::kScalesNotAnimated) keep_scales(context.frame.commands, scene);
}

void add_animate_pipelines(const GpuScene& scene, gpu::PipelineList& out) {
    const SceneAnimation& animation = scene.animation;
    if (animation.channel_count != 0) out.add(channels_desc());
    if (animation.moved_count != 0) out.add(instances_desc());
    if (animation.joint_count != 0) out.add(joints_desc());
    if (animation.weights_count != 0) out.add(weights_desc());
    if (animation.shown_count != 0) out.add(visibility_desc());
    if (animation.driver_count != 0) out.add(materials_desc());
    if (animation.light_count != 0) out.add(lights_desc());
}

}  // namespace sublet::render
