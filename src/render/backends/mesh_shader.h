// The variants of the mesh shader, chosen by settings.
#pragma once

#include <compare>
#include <cstdint>

#include "gpu/pipeline.h"
#include "render/gpu_scene.h"
#include "render/settings.h"

namespace sublet::render {

struct MeshShaderVariant {
    std::uint32_t group = 32;  // lanes of a workgroup
    SubgroupPath subgroup = SubgroupPath::kGeneral;
    bool encoded = true;
    bool count = true;
    bool draw_index = true;                    // several draws in one call, told apart by gl_DrawID
    std::uint32_t required_subgroup_size = 0;  // 0: the device's own is the one that `subgroup` wants

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads the comparison
    auto operator<=>(const MeshShaderVariant&) const = default;
};

// From resolved settings.
[[nodiscard]] MeshShaderVariant mesh_shader_variant(const RenderSettings& settings,
                                                    const gpu::Capabilities& capabilities);

// The mesh shader that hands on what `scene` has.
[[nodiscard]] gpu::Shader mesh_shader(const MeshShaderVariant& variant, const GpuScene& scene);

}  // namespace sublet::render
