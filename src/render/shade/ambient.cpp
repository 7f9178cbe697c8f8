#include "render/shade/ambient.h"

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/ambient.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

// Of the scene's radius: surfaces that are farther apart take no light from each other.
constexpr float kRadius = 0.04F;

gpu::ComputePipelineDesc ambient_desc(const GpuScene& scene) {
    return {.name = "ambient occlusion",
            .shader = {.spirv = shaders::ambient_comp,
                       .specialization = {{shared::kSpecWideIds, scene.wide_ids ? 1U : 0U}}}};
}

}  // namespace

void record_ambient(const ViewContext& context, const PictureState& picture) {
    if (!picture.ambient) return;
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("ambient occlusion");
    gpu::image_barrier(commands, picture.ambient, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kComputeRead,
                       gpu::kComputeWrite);
    const Targets& targets = context.geometry.targets;
    std::vector<gpu::Descriptor> set = seen_descriptors(targets, picture.texel_sampler);
    set.push_back(gpu::storage_image_at(shared::kBindAmbient, picture.ambient.view()));
    shared::AmbientConstants constants{};
    constants.size = {targets.extent.width, targets.extent.height};
    constants.in_compute = targets.in_compute ? 1 : 0;
    constants.radius = kRadius * context.scene.bounds.w;
    context.bind(ambient_desc(context.scene), set).push(commands, constants);
    const VkExtent2D texels = picture.ambient.extent();
    vkCmdDispatch(commands, shade_tiles(texels.width), shade_tiles(texels.height), 1);
    gpu::image_barrier(commands, picture.ambient, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       gpu::kComputeWrite, gpu::kComputeRead);
}

void add_ambient_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) {
    if (plan.ambient_occlusion) out.add(ambient_desc(scene));
}

}  // namespace sublet::render
