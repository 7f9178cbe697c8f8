// Whether tests can ask for validation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/vulkan.h"

namespace sublet::test {

// True when the Khronos validation layer is installed.
inline bool validation_installed() {
    static const bool installed = [] {
        if (volkInitialize() != VK_SUCCESS) return false;
        std::uint32_t count = 0;
        vkEnumerateInstanceLayerProperties(&count, nullptr);
        std::vector<VkLayerProperties> layers(count);
        vkEnumerateInstanceLayerProperties(&count, layers.data());
        return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
            return std::string_view(layer.layerName) == "VK_LAYER_KHRONOS_validation";
        });
    }();
    return installed;
}

}  // namespace sublet::test
