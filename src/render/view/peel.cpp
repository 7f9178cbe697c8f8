#include "render/view/peel.h"

#include <string>

#include "gpu/barriers.h"
#include "gpu/descriptors.h"
#include "gpu/pipeline.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/passes.h"

namespace sublet::render {
namespace {

constexpr VkImageLayout kColor = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
constexpr VkImageLayout kDepth = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
constexpr std::uint32_t kTile = 8;  // peel.comp's local size

gpu::ComputePipelineDesc peel_desc(std::uint32_t count) {
    return {.name = "peel",
            .shader = {.spirv = shaders::peel_comp, .specialization = {{shared::kSpecBlendLayers, count}}}};
}

// Both are attachments, before and after; what `to` held is lost.
void copy_depth(gpu::Commands commands, const gpu::Image& from, const gpu::Image& to) {
    gpu::image_barrier(commands, from, kDepth, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, gpu::kDepthAttachment,
                       gpu::kTransferRead);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                       gpu::kDepthAttachment, gpu::kTransferWrite);
    gpu::copy_image(commands, from, to);
    gpu::image_barrier(commands, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, kDepth, gpu::kTransferRead,
                       gpu::kDepthAttachment);
    gpu::image_barrier(commands, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kDepth, gpu::kTransferWrite,
                       gpu::kDepthAttachment);
}

}  // namespace

PeelTargets make_peel_targets(gpu::Device& device, VkExtent2D extent, VkFormat depth_format) {
    return {.words = {device,
                      {.extent = extent,
                       .format = VK_FORMAT_R32G32_UINT,
                       .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                       .name = "fragments of a layer"}},
            .depth = {device,
                      {.extent = extent,
                       .format = depth_format,
                       .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
                       .name = "depth of a layer"}}};
}

void peel_layers(const FrameContext& context, const PeelTargets& targets, const gpu::Image& depth,
                 const gpu::Buffer& layers, std::uint32_t count, const std::function<void()>& draw) {
    const gpu::Commands commands = context.frame.commands;
    const VkExtent2D extent = depth.extent();
    for (std::uint32_t layer = 0; layer < count; ++layer) {
        const gpu::DebugLabel label(context.device, commands, ("layer " + std::to_string(layer + 1)).c_str());
        copy_depth(commands, depth, targets.depth);
        gpu::image_barrier(commands, targets.words, VK_IMAGE_LAYOUT_UNDEFINED, kColor, gpu::kComputeRead,
                           gpu::kColorAttachment);
        const gpu::Attachment words{.view = targets.words.view(), .load = VK_ATTACHMENT_LOAD_OP_CLEAR};
        gpu::begin_rendering(commands, extent, {&words, 1},
                             {.view = targets.depth.view(), .store = VK_ATTACHMENT_STORE_OP_DONT_CARE});
        draw();
        commands(vkCmdEndRendering);
        gpu::memory_barrier(commands, gpu::kColorAttachment | gpu::kFragmentRead, gpu::kCompute, targets.words, kColor,
                            VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
        context
            .bind(peel_desc(count), {gpu::sampled_image_at(shared::kBindIds, targets.words.view()),
                                     gpu::buffer_at(shared::kBindWideIds, layers)})
            .push(commands, shared::PeelConstants{{extent.width, extent.height}, layer + 1 == count ? 1U : 0U});
        commands(vkCmdDispatch, (extent.width + kTile - 1) / kTile, (extent.height + kTile - 1) / kTile, 1);
        gpu::memory_barrier(commands, gpu::kCompute, gpu::kCompute | gpu::kFragmentRead);
    }
}

void add_peel_pipeline(std::uint32_t count, gpu::PipelineList& out) {
    out.add(peel_desc(count));
}

}  // namespace sublet::render
