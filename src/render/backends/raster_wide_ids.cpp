#include "render/backends/raster_wide_ids.h"

#include <algorithm>

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr VkExtent2D kTile{8, 8};  // raster_wide_ids.comp's, in pixels

}  // namespace

gpu::ComputePipelineDesc raster_wide_ids_desc(const GpuScene& scene, const FramePlan& plan) {
    gpu::ComputePipelineDesc desc{
        .name = "raster wide ids",
        .shader = {.spirv = shaders::raster_wide_ids_comp,
                   .specialization = {{shared::kSpecEncoded, encoded_as(plan)},
                                      {shared::kSpecWideIds, 1U},
                                      {shared::kSpecMasked, scene.has_alpha_tested() ? 1U : 0U}}},
        .textures = scene.textures->layout()};
    if (scene.has_alpha_tested()) add_mask_constants(desc.shader, scene, plan);
    return desc;
}

std::uint32_t raster_number_mask(const FramePlan& plan, const TestHooks& hooks) {
    const std::uint32_t bits = plan.device.raster_words ? shared::kPixelNumberBitsOfWords : shared::kPixelNumberBits;
    return (std::uint32_t{1} << std::min(bits, hooks.most_number_bits)) - 1;
}

bool raster_counts_cut(const GpuScene& scene, const FramePlan& plan, const TestHooks& hooks) {
    return scene.wide_ids && scene.drawable_sublets > raster_number_mask(plan, hooks);
}

void record_raster_wide_ids(const ViewContext& context, const gpu::Descriptor& numbers) {
    const Targets& targets = context.geometry.targets;
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("raster wide ids");
    gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute);
    const gpu::Pipeline& pipeline = context.bind(raster_wide_ids_desc(context.scene, context.plan),
                                                 {gpu::buffer_at(shared::kBindPixels, targets.pixels),
                                                  gpu::buffer_at(shared::kBindWideIds, targets.wide_ids), numbers});
    context.scene.textures->bind(commands, pipeline, context.frame.slot);
    const VkExtent2D extent = targets.extent;
    pipeline.push(commands, shared::RasterWideIdsConstants{
                                .size = {extent.width, extent.height},
                                .number_mask = raster_number_mask(context.plan, context.hooks),
                                .counts_cut = raster_counts_cut(context.scene, context.plan, context.hooks) ? 1U : 0U});
    commands(vkCmdDispatch, (extent.width + kTile.width - 1) / kTile.width,
             (extent.height + kTile.height - 1) / kTile.height, context.scene.has_transmissive() ? 2 : 1);
}

}  // namespace sublet::render
