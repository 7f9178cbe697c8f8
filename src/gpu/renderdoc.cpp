#include "gpu/renderdoc.h"

#include <cstdint>

#include "base/system.h"

namespace sublet::gpu {

namespace {

constexpr int kVersion = 10102;  // 1.1.2; later ones only add functions behind those of earlier ones

// A device is known by its instance's table of functions, to which the handle of an instance points first.
void* device_pointer(VkInstance instance) {
    return *reinterpret_cast<void**>(instance);
}

}  // namespace

// The table that RENDERDOC_GetAPI fills, as RenderDoc documents it: functions in this order.
struct RenderDoc::Api {
    using Unused = void (*)();
    Unused options_keys_and_paths[13];
    std::uint32_t (*number_of_captures)();
    // `length`: of the path with its final zero; `path` may be null.
    std::uint32_t (*capture)(std::uint32_t index, char* path, std::uint32_t* length, std::uint64_t* time);
    Unused triggers_and_window[4];
    void (*start)(void* device, void* window);
    std::uint32_t (*is_capturing)();
    std::uint32_t (*end)(void* device, void* window);
};

std::optional<RenderDoc> RenderDoc::find() {
    using GetApi = int (*)(int version, void** api);
    const auto get_api = reinterpret_cast<GetApi>(library_function(kRenderDocLibrary, "RENDERDOC_GetAPI", false));
    void* api = nullptr;
    if (get_api == nullptr || get_api(kVersion, &api) != 1 || api == nullptr) return std::nullopt;
    return RenderDoc(*static_cast<const Api*>(api));
}

void RenderDoc::start(VkInstance instance) const {
    api_->start(device_pointer(instance), nullptr);
}

std::optional<std::string> RenderDoc::end(VkInstance instance) const {
    if (api_->end(device_pointer(instance), nullptr) != 1) return std::nullopt;
    const std::uint32_t captures = api_->number_of_captures();
    std::uint32_t length = 0;
    if (captures == 0 || api_->capture(captures - 1, nullptr, &length, nullptr) != 1) return std::nullopt;
    std::string path(length, '\0');
    if (api_->capture(captures - 1, path.data(), &length, nullptr) != 1) return std::nullopt;
    path.resize(path.find('\0') == std::string::npos ? path.size() : path.find('\0'));
    return path;
}

}  // namespace sublet::gpu
