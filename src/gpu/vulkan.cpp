#include "gpu/vulkan.h"

#include <algorithm>

#include "base/error.h"

namespace sublet::gpu {

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string result_name(VkResult result) {
    switch (result) {
#define SUBLET_RESULT(name) \
    case name:              \
        return #name
        SUBLET_RESULT(VK_SUCCESS);
        SUBLET_RESULT(VK_NOT_READY);
        SUBLET_RESULT(VK_TIMEOUT);
        SUBLET_RESULT(VK_EVENT_SET);
        SUBLET_RESULT(VK_EVENT_RESET);
        SUBLET_RESULT(VK_INCOMPLETE);
        SUBLET_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY);
        SUBLET_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY);
        SUBLET_RESULT(VK_ERROR_INITIALIZATION_FAILED);
        SUBLET_RESULT(VK_ERROR_DEVICE_LOST);
        SUBLET_RESULT(VK_ERROR_MEMORY_MAP_FAILED);
        SUBLET_RESULT(VK_ERROR_LAYER_NOT_PRESENT);
        SUBLET_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT);
        SUBLET_RESULT(VK_ERROR_FEATURE_NOT_PRESENT);
        SUBLET_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER);
        SUBLET_RESULT(VK_ERROR_TOO_MANY_OBJECTS);
        SUBLET_RESULT(VK_ERROR_FORMAT_NOT_SUPPORTED);
        SUBLET_RESULT(VK_ERROR_FRAGMENTED_POOL);
        SUBLET_RESULT(VK_ERROR_UNKNOWN);
        SUBLET_RESULT(VK_ERROR_OUT_OF_POOL_MEMORY);
        SUBLET_RESULT(VK_ERROR_INVALID_EXTERNAL_HANDLE);
        SUBLET_RESULT(VK_ERROR_FRAGMENTATION);
        SUBLET_RESULT(VK_PIPELINE_COMPILE_REQUIRED);
        SUBLET_RESULT(VK_ERROR_SURFACE_LOST_KHR);
        SUBLET_RESULT(VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
        SUBLET_RESULT(VK_SUBOPTIMAL_KHR);
        SUBLET_RESULT(VK_ERROR_OUT_OF_DATE_KHR);
        SUBLET_RESULT(VK_ERROR_INVALID_SHADER_NV);
#undef SUBLET_RESULT
        default:
            return "VkResult " + std::to_string(static_cast<int>(result));
    }
}

VkResult check(VkResult result, std::string_view doing) {
    if (result >= 0) return result;
    std::string message = std::string(doing) + " failed: " + result_name(result);
    switch (result) {
        case VK_ERROR_DEVICE_LOST:
            message +=
                " (the GPU stopped: a driver fault, a reset or work that ran too long; start again, and if it repeats, "
                "try another "
                "--backend or a newer driver)";
            break;
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
            message += " (the GPU's memory is used up: close other programs or use a smaller scene or picture)";
            break;
        case VK_ERROR_OUT_OF_HOST_MEMORY:
            message += " (the machine's memory is used up)";
            break;
        case VK_ERROR_SURFACE_LOST_KHR:
            message += " (the window is gone)";
            break;
        default:
            break;
    }
    throw Error(message);
}

}  // namespace sublet::gpu
