#include "render/passes/storage_buffer.h"

#include <string>

#include "base/error.h"

namespace sublet::render {

gpu::Buffer make_storage_buffer(gpu::Device& device, const std::string& name, std::uint64_t bytes,
                                VkBufferUsageFlags usage) {
    const std::uint64_t most = device.capabilities().limits.maxStorageBufferRange;
    if (bytes > most) {
        throw Error(device.capabilities().name, name,
                    "the scene needs " + std::to_string(bytes >> 20U) +
                        " MiB in one buffer and this device binds at most " + std::to_string(most >> 20U) +
                        " MiB: use a smaller scene, or a device with a larger maxStorageBufferRange");
    }
    return {device, {.size = bytes, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | usage, .name = name}};
}

}  // namespace sublet::render
