#include "render/shade/shade.h"

#include <vector>

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/shade.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kGroup = 8;  // shade.comp's local size, in x and y

std::uint32_t groups(std::uint32_t pixels) {
    return (pixels + kGroup - 1) / kGroup;
}

}  // namespace

ShadePass::ShadePass(gpu::Device& device, VkDescriptorSetLayout textures)
    : textures_(textures),
      sampler_(device, {.filter = VK_FILTER_NEAREST,
                        .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                        .address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .name = "shade"}) {}

void ShadePass::record(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                       const FramePlan& plan, std::span<const gpu::Descriptor> scene_set, const ViewState& view,
                       bool two_phases) {
    VkCommandBuffer commands = frame.commands;
    const auto pass = profiler.pass(commands, "shade");
    const Targets& targets = view.targets;
    const gpu::Image& color = view.color;
    std::vector<gpu::Descriptor> pass_set{gpu::storage_image_at(shared::kBindColor, color.view())};
    if (targets.pixels) {
        const bool kept = two_phases && view.pixels_of_phase_1;
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
        pass_set.push_back(gpu::buffer_at(shared::kBindPixels, targets.pixels));
        pass_set.push_back(gpu::buffer_at(shared::kBindPixelsOfPhase1, kept ? view.pixels_of_phase_1 : targets.pixels));
        pass_set.push_back(gpu::buffer_at(shared::kBindWideIds, targets.wide_ids ? targets.wide_ids : targets.pixels));
    } else {
        gpu::image_barrier(commands, targets.ids, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, gpu::kColorAttachment, gpu::kComputeRead);
        gpu::image_barrier(commands, targets.depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment, gpu::kComputeRead);
        const auto texels = [&](std::uint32_t binding, const gpu::Image& image, VkImageLayout layout) {
            pass_set.push_back(gpu::texture_at(binding, image.view(), sampler_.handle(), layout));
        };
        const bool kept = two_phases && view.ids_of_phase_1;
        texels(shared::kBindIds, targets.ids, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        texels(shared::kBindDepth, targets.depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
        texels(shared::kBindIdsOfPhase1, kept ? view.ids_of_phase_1 : targets.ids,
               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
    gpu::image_barrier(commands, color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kTransferRead,
                       gpu::kComputeWrite);
    const gpu::Pipeline& pipeline = pipelines.get(pipeline_desc(scene, plan));
    frame.descriptors->bind(commands, pipeline, scene_set, shared::kSceneSet);
    frame.descriptors->bind(commands, pipeline, pass_set, shared::kPassSet);
    scene.textures->bind(commands, pipeline);
    const VkExtent2D extent = color.extent();
    std::uint32_t background = 0;
    for (unsigned i = 0; i < 4; ++i) background |= std::uint32_t{kBackgroundColor[i]} << (8 * i);
    pipeline.push(commands, shared::ShadeConstants{.size = {extent.width, extent.height},
                                                   .show = static_cast<std::uint32_t>(plan.show),
                                                   .group_tiling = plan.group_tiling,
                                                   .background = background,
                                                   .raster_limit = plan.raster_limit});
    vkCmdDispatch(commands, groups(extent.width), groups(extent.height), 1);
    gpu::image_barrier(commands, color, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kComputeWrite, gpu::kTransferRead);
}

gpu::ComputePipelineDesc ShadePass::pipeline_desc(const GpuScene& scene, const FramePlan& plan) const {
    using namespace shaders;
    const bool pixels = VisibilityOutput(scene, plan.backend).in_compute();
    const std::span<const std::uint32_t> bindless = pixels ? shade_pixels_comp : shade_comp;
    const std::span<const std::uint32_t> few = pixels ? shade_pixels_few_textures_comp : shade_few_textures_comp;
    return {.name = "shade",
            .shader = {.spirv = plan.device.bindless ? bindless : few,
                       .specialization = {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U},
                                          {shared::kSpecHasUv, scene.has_uv ? 1U : 0U},
                                          {shared::kSpecHasColor, scene.has_color ? 1U : 0U},
                                          {shared::kSpecTaps, plan.device.texture_taps ? 1U : 0U},
                                          {shared::kSpecWideIds, scene.wide_ids ? 1U : 0U}}},
            .textures = textures_};
}

}  // namespace sublet::render
