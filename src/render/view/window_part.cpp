#include "render/view/window_part.h"

namespace sublet::render {

void record_window_part(VkCommandBuffer commands, const gpu::Image& picture, VkImage window, const Columns& columns) {
    if (columns.first >= columns.end) return;
    const auto first = static_cast<std::int32_t>(columns.first);
    const auto end = static_cast<std::int32_t>(columns.end);
    const auto height = static_cast<std::int32_t>(picture.extent().height);
    VkImageBlit2 region{};
    region.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2;
    region.srcSubresource = region.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.srcOffsets[0] = region.dstOffsets[0] = {first, 0, 0};
    region.srcOffsets[1] = region.dstOffsets[1] = {end, height, 1};
    VkBlitImageInfo2 info{};
    info.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2;
    info.srcImage = picture.handle();
    info.srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    info.dstImage = window;
    info.dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    info.regionCount = 1;
    info.pRegions = &region;
    info.filter = VK_FILTER_NEAREST;
    vkCmdBlitImage2(commands, &info);
}

}  // namespace sublet::render
