#include "render/shade/shade.h"

#include <vector>

#include "gpu/barriers.h"
#include "render/passes/passes.h"
#include "shaders/embedded.h"
#include "shaders/shared/shade.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kGroup = 8;  // shade.comp's local size, in x and y

std::uint32_t groups(std::uint32_t pixels) {
    return (pixels + kGroup - 1) / kGroup;
}

}  // namespace

ShadePass::ShadePass(gpu::Device& device, VkDescriptorSetLayout textures)
    : device_(device),
      textures_(textures),
      sampler_(device, {.filter = VK_FILTER_NEAREST,
                        .mipmap_mode = VK_SAMPLER_MIPMAP_MODE_NEAREST,
                        .address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                        .name = "shade"}) {}

void ShadePass::record(gpu::Frame& frame, gpu::Profiler& profiler, gpu::Pipelines& pipelines, const GpuScene& scene,
                       const FramePlan& plan, const gpu::Buffer& frame_data, const Targets& targets,
                       const gpu::Image* ids_of_phase_1, const gpu::Image& color) {
    VkCommandBuffer commands = frame.commands;
    const auto pass = profiler.pass(commands, "shade");
    gpu::image_barrier(commands, targets.ids, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, gpu::kColorAttachment, gpu::kComputeRead);
    gpu::image_barrier(commands, targets.depth, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, gpu::kDepthAttachment, gpu::kComputeRead);
    gpu::image_barrier(commands, color, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kTransferRead,
                       gpu::kComputeWrite);
    const gpu::Pipeline& pipeline = pipelines.get(pipeline_desc(scene, plan.payload == Payload::kEncoded));
    const auto texels = [&](std::uint32_t binding, const gpu::Image& image, VkImageLayout layout) {
        return gpu::texture_at(binding, image.view(), sampler_.handle(), layout);
    };
    std::vector<gpu::Descriptor> descriptors = decoded_scene_descriptors(scene, frame_data);
    descriptors.insert(
        descriptors.end(),
        {gpu::buffer_at(6, scene.streams), gpu::buffer_at(7, scene.payload), gpu::buffer_at(8, scene.first_sublets),
         texels(9, targets.ids, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
         texels(10, targets.depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL),
         texels(11, ids_of_phase_1 != nullptr ? *ids_of_phase_1 : targets.ids,
                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
         gpu::storage_image_at(12, color.view()), gpu::buffer_at(13, scene.instance_blocks)});
    frame.descriptors->bind(commands, pipeline, descriptors);
    scene.textures->bind(commands, pipeline);
    const VkExtent2D extent = color.extent();
    std::uint32_t background = 0;
    for (unsigned i = 0; i < 4; ++i) background |= std::uint32_t{kBackgroundColor[i]} << (8 * i);
    pipeline.push(commands, shared::ShadeConstants{.size = {extent.width, extent.height},
                                                   .show = static_cast<std::uint32_t>(plan.show),
                                                   .group_tiling = plan.group_tiling,
                                                   .background = background,
                                                   .block_shift = scene.block_shift,
                                                   .reserved0 = 0,
                                                   .reserved1 = 0});
    vkCmdDispatch(commands, groups(extent.width), groups(extent.height), 1);
    gpu::image_barrier(commands, color, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kComputeWrite, gpu::kTransferRead);
}

gpu::ComputePipelineDesc ShadePass::pipeline_desc(const GpuScene& scene, bool encoded) const {
    gpu::ComputePipelineDesc desc;
    desc.name = "shade";
    desc.shader.spirv =
        device_.capabilities().descriptor_indexing ? shaders::shade_comp : shaders::shade_few_textures_comp;
    desc.shader.specialization = {{1, encoded ? 1U : 0U},
                                  {8, scene.has_uv ? 1U : 0U},
                                  {9, scene.has_color ? 1U : 0U},
                                  {10, device_.capabilities().type == VK_PHYSICAL_DEVICE_TYPE_CPU ? 1U : 0U},
                                  {11, scene.wide_ids ? 1U : 0U}};
    desc.layout.bindings = buffer_bindings(9);
    for (const std::uint32_t binding : {9U, 10U, 11U}) {
        desc.layout.bindings.push_back({binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER});
    }
    desc.layout.bindings.push_back({12, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE});
    desc.layout.bindings.push_back({13});
    desc.layout.textures = textures_;
    desc.layout.push_constant_bytes = sizeof(shared::ShadeConstants);
    return desc;
}

}  // namespace sublet::render
