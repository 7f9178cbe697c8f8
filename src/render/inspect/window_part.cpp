#include "render/inspect/window_part.h"

#include "gpu/barriers.h"
#include "gpu/pipeline.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

gpu::GraphicsPipelineDesc window_desc(VkFormat format) {
    gpu::GraphicsPipelineDesc desc;
    desc.name = "window";
    desc.vertex = {.spirv = shaders::floor_grid_vert};
    desc.fragment = {.spirv = shaders::window_frag};
    desc.colors = {{.format = format}};
    return desc;
}

}  // namespace

void record_window_part(const FrameContext& context, const gpu::Image& picture, const gpu::Sampler& texels,
                        const WindowTarget& window, const Columns& columns) {
    if (columns.first >= columns.end) return;
    const gpu::Commands commands = context.frame.commands;
    const gpu::DebugLabel label = context.profiler.label(commands, "window");
    gpu::image_barrier(commands, picture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, gpu::kEverything, gpu::kFragmentRead);
    const gpu::Attachment color{window.image};
    gpu::begin_rendering(commands, picture.extent(), {&color, 1});
    context.bind(window_desc(window.format), {gpu::texture_at(shared::kBindShown, picture.view(), texels.handle())});
    const VkRect2D part{{static_cast<std::int32_t>(columns.first), 0},
                        {columns.end - columns.first, picture.extent().height}};
    vkCmdSetScissor(commands, 0, 1, &part);
    vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE);
    vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    gpu::image_barrier(commands, picture, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, gpu::kFragmentRead, gpu::kTransferRead);
    gpu::memory_barrier(commands, gpu::kColorAttachment, gpu::kColorAttachment);
}

}  // namespace sublet::render
