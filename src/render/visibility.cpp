#include "render/visibility.h"

#include <cstring>
#include <utility>

#include "gpu/barriers.h"
#include "render/backends/backend.h"
#include "render/cull/occlusion.h"

namespace sublet::render {

Visibility::Visibility(gpu::Device& device)
    : device_(device),
      unused_(device, {.size = 256, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, .name = "no visibility"}) {}

void Visibility::reset() {
    for (gpu::Buffer& buffer : visible_) {
        device_.retire(std::exchange(buffer, {}));
    }
}

void Visibility::begin(const gpu::Frame& frame, const GpuScene& scene, const View& cull_view, VkExtent2D extent,
                       Fault fault) {
    if (!hiz_) {
        hiz_.emplace(device_);
        for (gpu::Buffer& buffer : occlusion_) {
            buffer = gpu::Buffer(device_, {.size = sizeof(shared::OcclusionView),
                                           .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                                           .memory = gpu::Memory::kUpload,
                                           .name = "occlusion view"});
        }
    }
    if (!visible_[0]) {
        for (gpu::Buffer& buffer : visible_) {
            buffer = make_storage_buffer(device_, "visible meshlets", std::uint64_t{scene.task_count} * 4);
        }
        vkCmdFillBuffer(frame.commands, visible_[before_].handle(), 0, VK_WHOLE_SIZE, 0);
    }
    if (fault != Fault::kVisibilityNotCleared) {
        vkCmdFillBuffer(frame.commands, visible_[1 - before_].handle(), 0, VK_WHOLE_SIZE, 0);
    }
    gpu::memory_barrier(frame.commands, gpu::kTransferWrite, gpu::kConsume);
    hiz_->resize(extent);
    shared::OcclusionView view = occlusion::make_occlusion_view(cull_view, hiz_->layout());
    if (fault == Fault::kPyramidLevelTooFine) {
        view.hiz.last_level = view.hiz.first_level;
    }
    std::memcpy(occlusion_[frame.slot].mapped(), &view, sizeof(view));
}

void Visibility::build_pyramid(gpu::Frame& frame, gpu::Profiler& profiler, const gpu::Image& depth,
                               std::uint32_t group_tiling) {
    hiz_->record(frame, profiler, depth, group_tiling);
}

void Visibility::end() {
    before_ = 1 - before_;
}

PhaseBuffers Visibility::buffers(const gpu::Frame& frame) const {
    if (!visible_[0]) {
        return {&unused_, &unused_, &unused_, &unused_};
    }
    return {&visible_[before_], &visible_[1 - before_], &occlusion_[frame.slot], &hiz_->pyramid()};
}

std::uint64_t Visibility::bytes() const {
    return (visible_[0] ? visible_[0].size() + visible_[1].size() : 0) + (hiz_ && hiz_->pyramid() ? hiz_->bytes() : 0);
}

void add_phase_descriptors(std::vector<gpu::Descriptor>& descriptors, std::uint32_t first,
                           const PhaseBuffers& buffers) {
    descriptors.push_back(gpu::buffer_at(first, *buffers.visible_before));
    descriptors.push_back(gpu::buffer_at(first + 1, *buffers.visible_after));
    descriptors.push_back(gpu::buffer_at(first + 2, *buffers.occlusion));
    descriptors.push_back(gpu::buffer_at(first + 3, *buffers.pyramid));
}

}  // namespace sublet::render
