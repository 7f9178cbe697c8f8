// Storage buffers as large as a scene wants them.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/device.h"
#include "gpu/resources.h"

namespace sublet::render {

// A storage buffer in VRAM. Throws Error when the device can't bind that many bytes.
[[nodiscard]] gpu::Buffer make_storage_buffer(gpu::Device& device, const std::string& name, std::uint64_t bytes,
                                              VkBufferUsageFlags usage = 0);

}  // namespace sublet::render
