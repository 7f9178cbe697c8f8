#include "render/view/visibility.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"
#include "gpu/barriers.h"
#include "render/passes/storage_buffer.h"
#include "render/view/occlusion.h"
#include "shaders/shared/bindings.h"

namespace sublet::render {
namespace {

// One of two buffers that are written in turn, a frame each.
std::string of_turn(const char* name, std::size_t turn) {
    return std::string(name) + (turn == 0 ? ", even" : ", odd");
}

constexpr VkDeviceSize kPhaseStride = 256;  // where every device can bind one

// `set`: of kClassSets.
VkDeviceSize place_of_phase(std::uint32_t number, std::size_t set) {
    return (number * kClassSets.size() + set) * kPhaseStride;
}

}  // namespace

Visibility::Visibility(gpu::Device& device)
    : device_(device),
      phases_(device, {.size = shared::kPhases * kClassSets.size() * kPhaseStride,
                       .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                       .memory = gpu::Memory::kUpload,
                       .name = "phases"}),
      unused_(device, {.size = 256,
                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                       .name = "no visibility"}) {
    auto* const at = static_cast<std::byte*>(phases_.mapped());
    for (std::uint32_t number = 0; number < shared::kPhases; ++number) {
        for (std::size_t set = 0; set < kClassSets.size(); ++set) {
            const shared::PhaseData phase{number, kClassSets.at(set), 0, 0};
            std::memcpy(at + place_of_phase(number, set), &phase, sizeof(phase));
        }
    }
}

gpu::Descriptor Visibility::phase_data(std::uint32_t number, std::uint32_t classes) const {
    const auto set = static_cast<std::size_t>(std::ranges::find(kClassSets, classes) - kClassSets.begin());
    if (set == kClassSets.size()) throw Error("renderer", "draw classes", "are none of those that phases have");
    return gpu::buffer_at(shared::kBindPhase, phases_, place_of_phase(number, set), sizeof(shared::PhaseData));
}

void Visibility::use_pyramid(std::uint32_t pixel_words) {
    std::optional<Hiz>& pyramid = pyramids_.at(pixel_words);
    if (!pyramid) pyramid.emplace(device_, Hiz::Options{.pixel_words = pixel_words});
    hiz_ = &*pyramid;
}

void Visibility::reset() {
    for (auto* buffers : {&visible_, &details_}) {
        for (gpu::Buffer& buffer : *buffers) {
            device_.retire(std::exchange(buffer, {}));
        }
    }
}

void Visibility::forget() {
    reset();
    hiz_ = nullptr;
    for (std::optional<Hiz>& pyramid : pyramids_) {
        if (pyramid) device_.retire(std::move(*pyramid));
        pyramid.reset();
    }
}

void Visibility::begin(const gpu::Frame& frame, const View& cull_view, const Targets& targets, bool keep_pyramid) {
    if (!occlusion_[0]) {
        for (std::size_t i = 0; i < occlusion_.size(); ++i) {
            occlusion_[i] = gpu::Buffer(device_, {.size = sizeof(shared::OcclusionView),
                                                  .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                                  .memory = gpu::Memory::kUpload,
                                                  .name = "occlusion view, slot " + std::to_string(i)});
        }
    }
    shared::HizLayout window{};  // without a pyramid
    window.width = targets.extent.width;
    window.height = targets.extent.height;
    write_view(frame, cull_view, keep_pyramid ? pyramid_layout() : window);
}

void Visibility::begin_phases(const gpu::Frame& frame, const BitTables& tables, const View& cull_view,
                              const Targets& targets, OcclusionDetail detail, Fault fault) {
    use_pyramid(targets.pixel_words());
    if (tables != tables_) reset();
    tables_ = tables;
    if (!visible_[0]) {
        for (std::size_t i = 0; i < visible_.size(); ++i) {
            visible_[i] = make_storage_buffer(device_, of_turn("visible meshlets", i), std::uint64_t{tables.tasks} * 4);
        }
        frame.commands(vkCmdFillBuffer, visible_[before_].handle(), 0, VK_WHOLE_SIZE, 0);
    }
    if (fault != Fault::kVisibilityNotCleared) {
        frame.commands(vkCmdFillBuffer, visible_[1 - before_].handle(), 0, VK_WHOLE_SIZE, 0);
    }
    if (detail != detail_) {  // older bits would be of what the last frame did not draw
        for (gpu::Buffer& buffer : details_) device_.retire(std::exchange(buffer, {}));
    }
    detail_ = detail;
    if (detail != OcclusionDetail::kMeshlets) {
        const bool made = !details_[0];
        if (made) {
            const bool sublets = detail == OcclusionDetail::kSublets;
            const std::uint64_t bytes =
                sublets ? std::uint64_t{tables.tasks} * shared::kTaskMeshlets : std::uint64_t{tables.sublets} * 4;
            for (std::size_t i = 0; i < details_.size(); ++i) {
                details_[i] =
                    make_storage_buffer(device_, of_turn(sublets ? "visible sublets" : "visible triangles", i), bytes);
            }
            frame.commands(vkCmdFillBuffer, details_[before_].handle(), 0, VK_WHOLE_SIZE, 0);
        }
        frame.commands(vkCmdFillBuffer, details_[1 - before_].handle(), 0, VK_WHOLE_SIZE, 0);
    }
    hiz_->resize(frame.commands, targets.extent);
    shared::HizLayout layout = hiz_->layout();
    if (fault == Fault::kPyramidLevelTooFine) {
        layout.last_level = layout.first_level;
    }
    write_view(frame, cull_view, layout);
}

void Visibility::write_view(const gpu::Frame& frame, const View& cull_view, const shared::HizLayout& layout) const {
    const shared::OcclusionView view =
        occlusion::make_occlusion_view(cull_view, layout, device_.capabilities().limits.subPixelPrecisionBits);
    std::memcpy(occlusion_[frame.slot].mapped(), &view, sizeof(view));
}

void Visibility::build_pyramid(const FrameContext& context, const Targets& targets, std::uint32_t group_tiling) {
    if (targets.in_compute) {
        hiz_->record(context, targets.pixels, group_tiling);
    } else {
        hiz_->record(context, targets.depth, group_tiling);
    }
}

void Visibility::build_final_pyramid(const FrameContext& context, const Targets& targets, std::uint32_t group_tiling) {
    use_pyramid(targets.pixel_words());
    hiz_->resize(context.frame.commands, targets.extent);
    gpu::memory_barrier(context.frame.commands, gpu::kTransferWrite, gpu::kCompute);
    build_pyramid(context, targets, group_tiling);
}

void Visibility::end() {
    before_ = 1 - before_;
}

PhaseBuffers Visibility::buffers(const gpu::Frame& frame) const {
    if (!visible_[0]) {
        const gpu::Buffer& view = occlusion_[0] ? occlusion_[frame.slot] : unused_;
        return {OcclusionDetail::kMeshlets, &unused_, &unused_, &unused_, &unused_, &view, &unused_};
    }
    const bool bits = detail_ != OcclusionDetail::kMeshlets && details_[0];
    return {detail_,
            bits ? &details_[before_] : &unused_,
            bits ? &details_[1 - before_] : &unused_,
            &visible_[before_],
            &visible_[1 - before_],
            &occlusion_[frame.slot],
            &hiz_->pyramid()};
}

std::uint64_t Visibility::bytes() const {
    std::uint64_t bytes = 0;
    for (const auto* buffers : {&visible_, &details_}) {
        for (const gpu::Buffer& buffer : *buffers) bytes += buffer ? buffer.size() : 0;
    }
    for (const std::optional<Hiz>& pyramid : pyramids_) {
        bytes += pyramid && pyramid->pyramid() ? pyramid->bytes() : 0;
    }
    return bytes;
}

}  // namespace sublet::render
