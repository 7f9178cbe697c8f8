#include "render/measure/difference.h"

#include <cstring>

#include "gpu/barriers.h"
#include "shaders/embedded.h"
#include "shaders/shared/bindings.h"
#include "shaders/shared/difference.h"

namespace sublet::render {
namespace {

constexpr std::uint32_t kDifferenceGroup = 8;  // difference.comp's local size, in x and y

std::uint32_t groups(std::uint32_t pixels) {
    return (pixels + kDifferenceGroup - 1) / kDifferenceGroup;
}

}  // namespace

DifferencePass::DifferencePass(gpu::Device& device) {
    for (Slot& slot : slots_) {
        slot.count = gpu::Buffer(device, {.size = sizeof(std::uint32_t),
                                          .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                          .memory = gpu::Memory::kReadback,
                                          .name = "differing pixels"});
    }
}

void DifferencePass::take(Slot& slot) {
    if (!slot.pending) return;
    slot.pending = false;
    if (slot.frame < newest_) return;
    newest_ = slot.frame;
    std::uint32_t count = 0;
    std::memcpy(&count, slot.count.mapped(), sizeof(count));
    pixels_ = count;
}

void DifferencePass::begin(const gpu::Frame& frame) {
    take(slots_[frame.slot]);
}

void DifferencePass::finish() {
    for (Slot& slot : slots_) take(slot);
}

void DifferencePass::record(const FrameContext& context, const gpu::Image& picture, const gpu::Image& reference) {
    const gpu::Commands commands = context.frame.commands;
    const auto pass = context.pass("difference");
    Slot& slot = slots_[context.frame.slot];
    std::memset(slot.count.mapped(), 0, sizeof(std::uint32_t));
    slot.frame = context.frame.number;
    slot.pending = true;
    for (const gpu::Image* image : {&picture, &reference}) {
        gpu::image_barrier(commands, *image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                           gpu::kEverything, gpu::kCompute);
    }
    const gpu::Pipeline& pipeline =
        context.bind(gpu::ComputePipelineDesc{.name = "difference", .shader = {.spirv = shaders::difference_comp}},
                     {gpu::storage_image_at(shared::kBindColor, picture.view()),
                      gpu::storage_image_at(shared::kBindReferenceColor, reference.view()),
                      gpu::buffer_at(shared::kBindDifferences, slot.count)});
    const VkExtent2D extent = picture.extent();
    pipeline.push(commands, shared::DifferenceConstants{.size = {extent.width, extent.height}});
    vkCmdDispatch(commands, groups(extent.width), groups(extent.height), 1);
    for (const gpu::Image* image : {&picture, &reference}) {
        gpu::image_barrier(commands, *image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           gpu::kCompute, gpu::kTransferRead);
    }
    gpu::memory_barrier(commands, gpu::kComputeWrite, gpu::kHostRead);
}

}  // namespace sublet::render
