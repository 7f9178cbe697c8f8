// What a scene takes of memory, known from its sizes before any of it is taken.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/device.h"
#include "render/settings/settings.h"
#include "scene/container.h"

namespace sublet::render {

// Bytes that a scene takes at least: without textures, which are held to a budget, without what moves and deforms, and
// without pictures and lists that drawing needs.
struct SceneMemory {
    std::uint64_t geometry = 0;   // on the device: the encoded sections
    std::uint64_t decoded = 0;    // on the device: vertices that are unpacked from them
    std::uint64_t instances = 0;  // on the device: instances, and lists of their meshlets
    std::uint64_t left_out = 0;   // of the former two: levels of detail that are not there (Residency)
    std::uint64_t host = 0;       // beside the device, at the peak: copies of instances, bounds of meshlets

    [[nodiscard]] std::uint64_t device() const { return geometry + decoded + instances - left_out; }
    [[nodiscard]] SceneMemory without(std::uint64_t bytes) const {
        SceneMemory out = *this;
        out.left_out = std::min(bytes, geometry + decoded);
        return out;
    }
};

// `finds_corners`: DevicePlan::finds_corners.
[[nodiscard]] SceneMemory scene_memory(const scene::EncodedScene& scene, const SceneSettings& settings,
                                       bool finds_corners);

// Bytes that may still be taken.
struct MemoryRoom {
    std::uint64_t device = 0;   // of the device's own heaps
    std::uint64_t machine = 0;  // of the machine's memory, which is a CPU device's too
    std::uint64_t granted = 0;  // of the device's own heaps, what is taken included

    // What geometry may have of them: the device's, and of a CPU device the machine's as well.
    [[nodiscard]] std::uint64_t least(const gpu::Capabilities& of) const {
        return of.type == VK_PHYSICAL_DEVICE_TYPE_CPU ? std::min(device, machine) : device;
    }
};
[[nodiscard]] MemoryRoom memory_room(const gpu::Device& device);

// Bytes that a scene's geometry and textures may take of a device, and how they share them: what one does not take the
// other may.
struct VramBudget {
    std::uint64_t all = 0;
    std::uint64_t textures = 0;  // at most

    // What geometry may have beside so many bytes of textures.
    [[nodiscard]] std::uint64_t geometry(std::uint64_t texture_bytes) const {
        return all - std::min(all, texture_bytes);
    }
};
// What --vram-budget and --texture-budget come to, where the driver grants so many bytes, `left` of them may still be
// taken, and all geometry takes `whole_geometry`. Without the former all is half of what is granted; or the latter and
// half of what it leaves. Either is three quarters of what is left at most.
[[nodiscard]] VramBudget vram_budget(const SceneSettings& settings, std::uint64_t granted, std::uint64_t left,
                                     std::uint64_t whole_geometry);

// Throws Error where the scene can't fit, with what it takes and what there is. Software drivers end the process when
// they get no memory, and others fail in the middle of it.
void require_room(const SceneMemory& need, const MemoryRoom& room, const gpu::Capabilities& device);

}  // namespace sublet::render
