#include "render/shade/temporal.h"

#include <utility>

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/temporal.h"

namespace sublet::render {
namespace {

gpu::ComputePipelineDesc temporal_desc() {
    return {.name = "temporal", .shader = {.spirv = shaders::temporal_comp}};
}

double radical_inverse(std::uint32_t index, std::uint32_t base) {
    double out = 0.0;
    double digit = 1.0;
    for (; index != 0; index /= base) out += (digit /= base) * (index % base);
    return out;
}

}  // namespace

glm::vec2 jitter_shift(std::uint32_t frame, const glm::uvec2& size) {
    constexpr std::uint32_t kPoints = 32;
    const std::uint32_t point = 1 + frame % kPoints;
    return glm::vec2(-2.0 / glm::dvec2(size) *
                     (glm::dvec2(radical_inverse(point, 2), radical_inverse(point, 3)) - 0.5));
}

TemporalPass::TemporalPass(gpu::Device& device)
    : linear_(device, {.address_u = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                       .address_v = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                       .mips = false,
                       .name = "history"}) {}

void TemporalPass::record(const ViewContext& context, PictureState& picture) const {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("temporal");
    const auto& [before, now] = picture.history;
    const VkExtent2D extent = picture.color.extent();
    // What this frame or the last one wrote is read, and the reverse.
    gpu::image_barrier(commands, picture.color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                       gpu::kCompute | gpu::kTransferRead, gpu::kCompute);
    for (const gpu::Image* image : {&now, &std::as_const(picture.resolved)}) {
        gpu::image_barrier(commands, *image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kEverything,
                           gpu::kComputeWrite);
    }
    if (!picture.has_history) {
        gpu::image_barrier(commands, before, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, gpu::kEverything,
                           gpu::kComputeRead);
    }
    const auto sampled = [](std::uint32_t binding, const gpu::Image& image, const gpu::Sampler& sampler,
                            VkImageLayout layout) {
        return gpu::texture_at(binding, image.view(), sampler.handle(), layout);
    };
    const gpu::Pipeline& pipeline = context.FrameContext::bind(
        temporal_desc(),
        {gpu::storage_image_at(shared::kBindColor, picture.color.view()),
         sampled(shared::kBindMotion, picture.motion, picture.texel_sampler, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL),
         sampled(shared::kBindHistory, before, linear_, VK_IMAGE_LAYOUT_GENERAL),
         gpu::storage_image_at(shared::kBindHistoryTarget, now.view()),
         gpu::storage_image_at(shared::kBindResolved, picture.resolved.view())});
    shared::TemporalConstants constants{};
    constants.size = {extent.width, extent.height};
    constants.has_history = std::exchange(picture.has_history, true) ? 1 : 0;
    pipeline.push(commands, constants);
    vkCmdDispatch(commands, shade_tiles(extent.width), shade_tiles(extent.height), 1);
    if (context.geometry.view.averaged == 0) std::swap(picture.color, picture.resolved);
    gpu::image_barrier(commands, picture.color, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kCompute, gpu::kTransferRead);
    std::swap(picture.history[0], picture.history[1]);
}

void TemporalPass::add_pipelines(const FramePlan& plan, gpu::PipelineList& out) {
    if (plan.taa) out.add(temporal_desc());
}

}  // namespace sublet::render
