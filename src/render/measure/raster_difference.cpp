#include "render/measure/raster_difference.h"

#include "gpu/barriers.h"
#include "gpu/upload.h"
#include "render/passes/storage_buffer.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/raster_difference.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kRasterDifferenceGroup = 8;  // raster_difference.comp's local size, in x and y

gpu::ComputePipelineDesc pipeline_desc(bool doubles, bool wide_ids) {
    return {.name = "raster difference",
            .shader = {.spirv = doubles ? shaders::raster_difference_doubles_comp : shaders::raster_difference_comp,
                       .specialization = {{shared::kSpecEncoded, 0}, {shared::kSpecWideIds, wide_ids ? 1U : 0U}}}};
}

}  // namespace

RasterDifferencePass::RasterDifferencePass(gpu::Device& device, gpu::Pipelines& pipelines)
    : device_(device), pipelines_(pipelines), sampler_(device, gpu::texel_sampler("raster difference")) {}

std::vector<std::uint32_t> RasterDifferencePass::run(const GpuScene& scene, const gpu::Buffer& frame_data,
                                                     const Targets& drawn, const Targets& reference, float snap) {
    const gpu::Pipeline& pipeline =
        pipelines_.get(pipeline_desc(device_.capabilities().shader_float64, scene.wide_ids));
    const VkExtent2D extent = reference.extent;
    const std::size_t count = std::size_t{extent.width} * extent.height;
    const gpu::Buffer verdicts =
        make_storage_buffer(device_, "raster differences", count * 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    gpu::submit_and_wait(
        device_, "holding the rasteriser to the reference", [&](VkCommandBuffer commands, gpu::DescriptorArena& arena) {
            const bool layers = bool{reference.transmissive_ids};
            const auto texels = [&](std::uint32_t binding, const gpu::Image& image, VkImageLayout layout) {
                return gpu::texture_at(binding, image.view(), sampler_.handle(), layout);
            };
            arena.bind(commands, pipeline, scene_descriptors(scene, &frame_data), shared::kSceneSet);
            arena.bind(commands, pipeline,
                       {texels(shared::kBindIds, reference.ids, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
                        texels(shared::kBindDepth, reference.depth, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL),
                        texels(shared::kBindTransmissiveIds, layers ? reference.transmissive_ids : reference.ids,
                               VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
                        texels(shared::kBindTransmissiveDepth, layers ? reference.transmissive_depth : reference.depth,
                               VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL),
                        gpu::buffer_at(shared::kBindPixels, drawn.pixels),
                        gpu::buffer_at(shared::kBindWideIds, scene.wide_ids ? drawn.wide_ids : drawn.pixels),
                        gpu::buffer_at(shared::kBindVerdicts, verdicts)},
                       shared::kPassSet);
            pipeline.push(commands,
                          shared::RasterDifferenceConstants{
                              .size = {extent.width, extent.height}, .snap = snap, .layers = layers ? 2U : 1U});
            vkCmdDispatch(commands, (extent.width + kRasterDifferenceGroup - 1) / kRasterDifferenceGroup,
                          (extent.height + kRasterDifferenceGroup - 1) / kRasterDifferenceGroup, 1);
        });
    return gpu::read_buffer_as<std::uint32_t>(device_, verdicts, 0, count);
}

}  // namespace sublet::render
