#include "render/backends/raster_wide_ids.h"

#include <algorithm>

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr VkExtent2D kTile{8, 8};  // raster_wide_ids.comp's, in pixels

gpu::ComputePipelineDesc pipeline_desc(const GpuScene& scene, const FramePlan& plan) {
    gpu::ComputePipelineDesc desc{
        .name = "raster wide ids",
        .shader = {.spirv = shaders::raster_wide_ids_comp,
                   .specialization = {{shared::kSpecEncoded, plan.payload == Payload::kEncoded ? 1U : 0U},
                                      {shared::kSpecWideIds, 1U},
                                      {shared::kSpecMasked, scene.has_alpha_tested() ? 1U : 0U}}},
        .textures = scene.textures->layout()};
    if (scene.has_alpha_tested()) add_mask_constants(desc.shader, scene, plan);
    return desc;
}

}  // namespace

std::uint32_t raster_number_mask(const ViewContext& context) {
    const std::uint32_t bits =
        context.plan.device.raster_words ? shared::kPixelNumberBitsOfWords : shared::kPixelNumberBits;
    return (std::uint32_t{1} << (context.scene.wide_ids ? std::min(bits, context.hooks.most_number_bits) : bits)) - 1;
}

void record_raster_wide_ids(const ViewContext& context) {
    const Targets& targets = context.geometry.targets;
    if (!targets.wide_ids) return;
    VkCommandBuffer commands = context.frame.commands;
    const auto pass = context.pass("raster wide ids");
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
    const gpu::Pipeline& pipeline = context.bind(
        pipeline_desc(context.scene, context.plan),
        {gpu::buffer_at(shared::kBindPixels, targets.pixels), gpu::buffer_at(shared::kBindWideIds, targets.wide_ids)});
    context.scene.textures->bind(commands, pipeline, context.frame.slot);
    const VkExtent2D extent = targets.extent;
    const std::uint32_t mask = raster_number_mask(context);
    const std::uint64_t last = context.scene.drawable_sublets - 1;
    pipeline.push(commands, shared::RasterWideIdsConstants{
                                .size = {extent.width, extent.height},
                                .number_mask = mask,
                                .laps = static_cast<std::uint32_t>(last / (std::uint64_t{mask} + 1)) + 1,
                                .last_lap = (static_cast<std::uint32_t>(last) & mask) + 1});
    vkCmdDispatch(commands, (extent.width + kTile.width - 1) / kTile.width,
                  (extent.height + kTile.height - 1) / kTile.height, context.scene.has_transmissive() ? 2 : 1);
}

void add_raster_wide_ids_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) {
    if (scene.wide_ids && rasters_in_compute(plan)) out.add(pipeline_desc(scene, plan));
}

}  // namespace sublet::render
