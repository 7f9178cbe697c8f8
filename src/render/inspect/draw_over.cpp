#include "render/inspect/draw_over.h"

#include "gpu/barriers.h"
#include "gpu/pipeline.h"

namespace sublet::render {

void draw_over(VkCommandBuffer commands, const gpu::Image& color, const gpu::Image* depth,
               const std::function<void()>& record) {
    gpu::memory_barrier(commands, gpu::kCompute | gpu::kTransferRead | gpu::kColorAttachment,
                        gpu::kDraw | gpu::kColorAttachment, color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    gpu::Attachment depths;
    if (depth != nullptr) {
        gpu::image_barrier(commands, *depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           gpu::kDepthAttachment, gpu::kDepthAttachment);
        depths = {depth->view(), VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_DONT_CARE};
    }
    const gpu::Attachment colors{color.view()};
    gpu::begin_rendering(commands, color.extent(), {&colors, 1}, depths);
    record();
    vkCmdEndRendering(commands);
    gpu::image_barrier(commands, color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kColorAttachment, gpu::kTransferRead);
}

}  // namespace sublet::render
