#include "render/inspect/draw_over.h"

#include "gpu/barriers.h"
#include "gpu/pipeline.h"

namespace sublet::render {

void draw_over(VkCommandBuffer commands, const gpu::Image& color, const gpu::Image* depth,
               const std::function<void()>& record) {
    gpu::memory_barrier(commands, gpu::kCompute | gpu::kTransferRead | gpu::kColorAttachment,
                        gpu::kDraw | gpu::kColorAttachment, color, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    VkRenderingAttachmentInfo colors{};
    colors.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    colors.imageView = color.view();
    colors.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    colors.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    colors.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    VkRenderingAttachmentInfo depths = colors;
    VkRenderingInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    info.renderArea.extent = color.extent();
    info.layerCount = 1;
    info.colorAttachmentCount = 1;
    info.pColorAttachments = &colors;
    if (depth != nullptr) {
        gpu::image_barrier(commands, *depth, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
                           gpu::kDepthAttachment, gpu::kDepthAttachment);
        depths.imageView = depth->view();
        depths.imageLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
        depths.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        depths.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
        depths.clearValue.depthStencil.depth = 0.0F;  // infinity
        info.pDepthAttachment = &depths;
    }
    vkCmdBeginRendering(commands, &info);
    gpu::set_viewport(commands, color.extent());
    record();
    vkCmdEndRendering(commands);
    gpu::image_barrier(commands, color, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                       gpu::kColorAttachment, gpu::kTransferRead);
}

}  // namespace sublet::render
