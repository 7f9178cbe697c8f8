// Whether tests can ask for validation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/vulkan.h"

namespace sublet::test {

// The version of Vulkan that the Khronos validation layer knows; 0 where it is not installed.
inline std::uint32_t validation_version() {
    static const std::uint32_t version = []() -> std::uint32_t {
        if (volkInitialize() != VK_SUCCESS) return 0;
        std::uint32_t count = 0;
        vkEnumerateInstanceLayerProperties(&count, nullptr);
        std::vector<VkLayerProperties> layers(count);
        vkEnumerateInstanceLayerProperties(&count, layers.data());
        const auto found = std::find_if(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
            return std::string_view(layer.layerName) == "VK_LAYER_KHRONOS_validation";
        });
        return found == layers.end() ? 0 : found->specVersion;
    }();
    return version;
}

inline bool validation_installed() {
    return validation_version() != 0;
}

// Older layers crash on generated commands and know nothing of execution graphs: a device has none of either under
// them.
inline bool validation_knows_new_extensions() {
    return validation_version() >= VK_MAKE_API_VERSION(0, 1, 3, 298);
}

}  // namespace sublet::test
