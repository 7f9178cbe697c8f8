#include "render/backends/raster_wide_ids.h"

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr VkExtent2D kTile{8, 4};  // raster_wide_ids.comp's, in pixels

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
    pipeline.push(commands, shared::RasterWideIdsConstants{.size = {extent.width, extent.height}});
    vkCmdDispatch(commands, (extent.width + kTile.width - 1) / kTile.width,
                  (extent.height + kTile.height - 1) / kTile.height, context.scene.has_transmissive() ? 2 : 1);
}

void add_raster_wide_ids_pipelines(const GpuScene& scene, const FramePlan& plan, gpu::PipelineList& out) {
    if (scene.wide_ids && rasters_in_compute(plan)) out.add(pipeline_desc(scene, plan));
}

}  // namespace sublet::render
