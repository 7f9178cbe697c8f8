// All backends, a row each. A new one is a name in the enumeration, a row here, a line in backends/backends.cpp, a file
// of its own and its shaders.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/capabilities.h"
#include "render/settings/scene_facts.h"
#include "render/settings/settings.h"

namespace sublet::render {

struct FramePlan;

// What the culling passes before the draw list.
enum class Survivors : std::uint8_t { kNone, kMeshlets, kSublets };

// Where single triangles are culled.
enum class PrimitiveCulling : std::uint8_t {
    kNone,
    kMeshShader,
    kCompute,
    kRaster,  // they are rasterised in compute, and what leaves no pixel falls out
};

// Of the compute rasteriser's word for a pixel (shaders/backends/raster_pixels.glsl).
inline constexpr std::uint32_t kRasterPixelBytes = 8;

struct BackendInfo {
    Backend backend;
    std::string_view name;  // on the command line and in JSON
    std::string_view help;  // one clause
    Backend instead;        // is most like it and needs less; itself: there is none
    // Null when the device has all else that it needs, and the scene is not too large for it; else what is lacking.
    std::optional<std::string> (*lacking)(const gpu::Capabilities&, const SceneFacts&);
    Survivors survivors;
    PrimitiveCulling primitives;
    bool mesh_shader;
};

// Else the CPU culls, or nothing does, and it takes no part in occlusion culling.
[[nodiscard]] inline bool culls_on_gpu(const BackendInfo& info) {
    return info.survivors != Survivors::kNone || info.primitives != PrimitiveCulling::kNone;
}

// In the order of preference of `auto` on a GPU.
[[nodiscard]] std::span<const BackendInfo> backend_table();

[[nodiscard]] const BackendInfo& backend_info(Backend backend);
// What the row says with mesh shaders, as it is by a plan: `graph` does without.
[[nodiscard]] BackendInfo backend_info(const FramePlan& plan);

// A device that binds as many needs no look at the shaders: there are fewer bindings (shaders/shared/bindings.h).
inline constexpr std::uint32_t kEnoughStorageBuffers = 128;

// Those of shading, which every frame runs. No other stage has more.
[[nodiscard]] std::uint32_t storage_buffers();

// Null when `backend` works on a device with these capabilities, and draws this scene; else one sentence that a user
// can act on. Without `scene` it is about the device alone.
[[nodiscard]] std::optional<std::string> backend_unavailable(Backend backend, const gpu::Capabilities& capabilities,
                                                             const SceneFacts& scene = {});

}  // namespace sublet::render
