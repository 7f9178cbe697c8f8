#include "gpu/barriers.h"

namespace sublet::gpu {

namespace {

VkMemoryBarrier2 make_barrier(Access source, Access target) {
    auto barrier = make_struct<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    barrier.srcStageMask = source.stages;
    barrier.srcAccessMask = source.accesses;
    barrier.dstStageMask = target.stages;
    barrier.dstAccessMask = target.accesses;
    return barrier;
}

VkImageMemoryBarrier2 make_barrier(VkImage image, const VkImageSubresourceRange& range, VkImageLayout from,
                                   VkImageLayout to, Access source, Access target) {
    auto barrier = make_struct<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
    barrier.srcStageMask = source.stages;
    barrier.srcAccessMask = source.accesses;
    barrier.dstStageMask = target.stages;
    barrier.dstAccessMask = target.accesses;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = range;
    return barrier;
}

}  // namespace

void memory_barrier(Commands commands, Access source, Access target) {
    const VkMemoryBarrier2 barrier = make_barrier(source, target);
    commands.barrier(&barrier, nullptr);
}

void memory_barrier(Commands commands, Access source, Access target, const Image& image, VkImageLayout from,
                    VkImageLayout to) {
    const VkMemoryBarrier2 memory = make_barrier(source, target);
    const VkImageMemoryBarrier2 barrier =
        make_barrier(image.handle(), {image.aspect(), 0, image.mips(), 0, image.layers()}, from, to, source, target);
    commands.barrier(&memory, &barrier);
}

void image_barrier(Commands commands, const Image& image, VkImageLayout from, VkImageLayout to, Access source,
                   Access target) {
    image_barrier(commands, image, 0, image.mips(), from, to, source, target);
}

void image_barrier(Commands commands, const Image& image, uint32_t mip, uint32_t mip_count, VkImageLayout from,
                   VkImageLayout to, Access source, Access target) {
    const VkImageMemoryBarrier2 barrier =
        make_barrier(image.handle(), {image.aspect(), mip, mip_count, 0, image.layers()}, from, to, source, target);
    commands.barrier(nullptr, &barrier);
}

void image_barrier(Commands commands, VkImage image, VkImageLayout from, VkImageLayout to, Access source,
                   Access target) {
    const VkImageMemoryBarrier2 barrier =
        make_barrier(image, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}, from, to, source, target);
    commands.barrier(nullptr, &barrier);
}

void copy_image(Commands commands, const Image& from, const Image& to) {
    VkImageCopy region{};
    region.srcSubresource = {from.aspect(), 0, 0, 1};
    region.dstSubresource = region.srcSubresource;
    region.extent = {from.extent().width, from.extent().height, 1};
    commands.record([region, source = from.handle(), target = to.handle()](VkCommandBuffer c) {
        vkCmdCopyImage(c, source, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                       &region);
    });
}

}  // namespace sublet::gpu
