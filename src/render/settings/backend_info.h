// All backends, a row each. A new one is a name in the enumeration, a row here, a line in backends/make.cpp, a file of
// its own and its shaders.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/device.h"
#include "render/settings/settings.h"

namespace sublet::render {

// What the culling passes before the draw list.
enum class Survivors : std::uint8_t { kNone, kMeshlets, kRuns, kSublets };

// Where single triangles are culled.
enum class PrimitiveCulling : std::uint8_t { kNone, kMeshShader, kCompute };

struct BackendInfo {
    Backend backend;
    std::string_view name;          // on the command line and in JSON
    std::string_view help;          // one clause
    Backend instead;                // is most like it and needs less; itself: there is none
    std::uint32_t storage_buffers;  // of the stage that has the most of them
    // Null when the device has all else that it needs, and the scene is not too large for it; else what is lacking.
    std::optional<std::string> (*lacking)(const gpu::Capabilities&, const SceneFacts&);
    Survivors survivors;
    PrimitiveCulling primitives;
    bool mesh_shader;
};

// In the order of preference of `auto` on a GPU.
[[nodiscard]] std::span<const BackendInfo> backend_table();

// Throws Error for kAuto, which has no row.
[[nodiscard]] const BackendInfo& backend_info(Backend backend);

}  // namespace sublet::render
