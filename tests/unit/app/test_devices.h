// Devices made up by tests, and why settings can't be had on them.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "gpu/capabilities.h"
#include "render/settings/frame_plan.h"
#include "temporary_folder.h"

namespace sublet::test {

// A device with nothing but what is required.
inline gpu::Capabilities plain_device() {
    gpu::Capabilities device;
    device.name = "Abacus";
    device.limits.maxPerStageDescriptorStorageBuffers = 24;
    device.limits.maxStorageBufferRange = 1U << 27U;
    return device;
}

// One whose mesh shaders take workgroups of 128 lanes.
inline gpu::Capabilities mesh_device() {
    gpu::Capabilities device = plain_device();
    device.mesh_shader = device.task_shader = device.descriptor_indexing = true;
    device.device_local_bytes = std::uint64_t{1} << 34U;
    device.mesh.maxMeshWorkGroupInvocations = device.mesh.maxMeshWorkGroupSize[0] = 128;
    device.mesh.maxMeshOutputVertices = device.mesh.maxMeshOutputPrimitives = 256;
    return device;
}

// Why these settings can't be had.
inline std::string refusal(const render::FrameSettings& settings, const gpu::Capabilities& device,
                           const render::SceneFacts& scene = {}) {
    return message_of<Error>([&] { static_cast<void>(render::resolve(settings, device, scene)); });
}

}  // namespace sublet::test
