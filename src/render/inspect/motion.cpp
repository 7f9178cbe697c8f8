#include "render/inspect/motion.h"

#include <glm/gtc/matrix_access.hpp>
#include <utility>

#include "gpu/barriers.h"
#include "render/passes/storage_buffer.h"
#include "render/scene/animate.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/inspect.h"

namespace sublet::render {
namespace {

gpu::ComputePipelineDesc motion_desc(const GpuScene& scene, const FramePlan& plan) {
    return {.name = "motion",
            .shader = {.spirv = shaders::motion_comp,
                       .specialization = {layers_constant(plan),
                                          {shared::kSpecEncoded, encoded_as(plan)},
                                          {shared::kSpecFeatures, scene.features},
                                          {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U}}}};
}

shared::MotionConstants constants_of(const GpuScene& scene, const View& view, const View& before) {
    shared::MotionConstants out{};
    const glm::vec2 shift = view.shift - before.shift;  // of the pictures, which moves nothing
    const glm::vec4 along = glm::row(before.view_projection, 3);
    for (int row = 0; row < 4; ++row) {
        const float by = row < 2 ? shift[row] : 0.0F;
        out.clip_before[row] = to_shared(glm::row(before.view_projection, row) + by * along);
    }
    out.pose_before = scene.deform.pose_vectors;
    return out;
}

}  // namespace

void MotionPass::record(const ViewContext& context, const PictureState& picture,
                        const std::vector<float>& times_before) {
    if (!wants_motion(context.plan)) return;
    const bool still = context.hooks.fault == Fault::kMotionIsZero;
    const gpu::Commands commands = context.frame.commands;
    const GpuScene& scene = context.scene;
    const auto pass = context.pass("motion");
    const gpu::Buffer* before = &scene.instances;
    if (scene.animation.moved_count != 0 && !still) {
        if (!instances_ || instances_.size() != scene.instances.size()) {
            device_.retire(std::exchange(instances_, {}));
            instances_ = make_storage_buffer(device_, "instances of the last frame", scene.instances.size());
        }
        gpu::memory_barrier(commands, gpu::kComputeRead, gpu::kTransferWrite | gpu::kTransferRead);
        const VkBufferCopy all{0, 0, scene.instances.size()};
        vkCmdCopyBuffer(commands, scene.instances.handle(), instances_.handle(), 1, &all);
        gpu::memory_barrier(commands, gpu::kTransferWrite, gpu::kCompute);
        before = &instances_;
    }
    if (scene.animation.places() && !still) {
        record_pose(context, scene, times_before, {.instances = before, .behind = scene.deform.pose_vectors});
    }
    const gpu::Image& motion = picture.motion;
    gpu::image_barrier(commands, motion, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kComputeRead,
                       gpu::kComputeWrite);
    std::vector<gpu::Descriptor> set = seen_descriptors(context.geometry.targets, picture.texel_sampler);
    set.push_back(gpu::storage_image_at(shared::kBindMotion, motion.view()));
    set.push_back(gpu::buffer_at(shared::kBindInstancesBefore, *before));
    const gpu::Pipeline& pipeline = context.bind(motion_desc(scene, context.plan), set);
    const View& view = context.geometry.view;
    shared::MotionConstants constants = constants_of(scene, view, still ? view : picture.last.value_or(view));
    if (still) constants.pose_before = 0;
    const VkExtent2D extent = motion.extent();
    constants.size = {extent.width, extent.height};
    constants.in_compute = context.geometry.targets.in_compute ? 1 : 0;
    pipeline.push(commands, constants);
    vkCmdDispatch(commands, shade_tiles(extent.width), shade_tiles(extent.height), 1);
    gpu::image_barrier(commands, motion, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       gpu::kComputeWrite, gpu::kComputeRead);
}

void add_motion_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) {
    if (wants_motion(plan)) out.add(motion_desc(scene, plan));
}

}  // namespace sublet::render
