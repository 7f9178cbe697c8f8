#include "render/view/inspector.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "gpu/barriers.h"

namespace sublet::render {

Inspector::Inspector(gpu::Device& device)
    : buffer_(device, {.size = sizeof(shared::Inspected),
                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                       .name = "inspected pixels"}) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        slots_[i].readback = gpu::Buffer(device, {.size = sizeof(shared::Inspected),
                                                  .memory = gpu::Memory::kReadback,
                                                  .name = "inspected pixels, slot " + std::to_string(i)});
    }
}

void Inspector::begin(const gpu::Frame& frame, const Inspection& inspection, const View& view, VkExtent2D extent) {
    Slot& slot = slots_[frame.slot];
    slot.asked.reset();
    if (!inspection.asks()) return;
    InspectionResult& asked = slot.asked.emplace();
    asked.frame = frame.number;
    asked.view = view;
    asked.size = {extent.width, extent.height};
    const std::size_t probes = std::min<std::size_t>(inspection.probes.size(), shared::kMostProbes);
    for (std::size_t i = 0; i < probes; ++i) asked.probes.push_back({.pixel = inspection.probes[i]});
    if (inspection.nearest_depth) asked.nearest_depth = 0.0F;
    vkCmdFillBuffer(frame.commands, buffer_.handle(), 0, VK_WHOLE_SIZE, 0);
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kCompute);
}

void Inspector::end(const gpu::Frame& frame) const {
    const Slot& slot = slots_[frame.slot];
    if (!slot.asked) return;
    const VkBufferCopy all{0, 0, sizeof(shared::Inspected)};
    vkCmdCopyBuffer(frame.commands, buffer_.handle(), slot.readback.handle(), 1, &all);
}

void Inspector::collect(std::uint32_t slot) {
    std::optional<InspectionResult> answered = std::exchange(slots_[slot].asked, std::nullopt);
    if (!answered) return;
    const auto* found = static_cast<const shared::Inspected*>(slots_[slot].readback.mapped());
    for (std::size_t i = 0; i < answered->probes.size(); ++i) {
        const shared::InspectedPixel& pixel = found->probes[i];
        Probe& probe = answered->probes[i];
        probe.covered = pixel.depth != 0;
        probe.depth = std::bit_cast<float>(pixel.depth);
        probe.instance = pixel.instance;
        probe.sublet = pixel.sublet;
        probe.triangle = pixel.triangle;
        probe.level = pixel.level;
        probe.level_error = std::bit_cast<float>(pixel.error);
    }
    if (answered->nearest_depth) answered->nearest_depth = std::bit_cast<float>(found->nearest);
    newest_ = std::move(answered);
}

void Inspector::collect_all() {
    static_assert(gpu::kFramesInFlight == 2, "the older of two first");
    const auto& [first, second] = slots_;
    const bool swapped = first.asked && second.asked && second.asked->frame < first.asked->frame;
    collect(swapped ? 1 : 0);
    collect(swapped ? 0 : 1);
}

void Inspector::forget() {
    for (Slot& slot : slots_) slot.asked.reset();
    newest_.reset();
}

}  // namespace sublet::render
