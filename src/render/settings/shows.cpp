#include "render/settings/shows.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace sublet::render {

namespace {

constexpr std::array kShows{
    ShowChoice{Show::kShaded, "shaded", "the scene as it is lit"},
    ShowChoice{Show::kMeshlets, "meshlets", "a colour for each group of up to 256 triangles"},
    ShowChoice{Show::kSublets, "sublets", "a colour for each group of up to 32 triangles"},
    ShowChoice{Show::kTriangles, "triangles", "a colour for each triangle"},
    ShowChoice{Show::kInstances, "instances", "a colour for each placement of a mesh"},
    ShowChoice{Show::kMaterials, "materials", "a colour for each material"},
    ShowChoice{Show::kNormals, "normals", "directions of the surface: x red, y green, z blue"},
    ShowChoice{Show::kUv, "uv", "texture coordinates: u red, v green"},
    ShowChoice{Show::kDepth, "depth",
               "bands, each twice as far away as the one before; within one, the nearer, the brighter"},
    ShowChoice{Show::kHiz, "hiz", "the depth pyramid that hidden things are tested against (--hiz-level)"},
    ShowChoice{Show::kPhase, "phase", "what occlusion culling drew first, and what second"},
    ShowChoice{Show::kPath, "path", "what drew it: a lane or a workgroup of raster, or a graphics pipeline"},
    ShowChoice{Show::kDensity, "density", "how many pixels a triangle covers"},
    ShowChoice{Show::kLod, "lod", "a colour for each level of detail"},
    ShowChoice{Show::kLodError, "lod-error", "how wrong each meshlet may be, as a share of --lod-error"},
    ShowChoice{Show::kLodGroup, "lod-group", "a colour for each group of meshlets that are simplified as one"},
    ShowChoice{Show::kResidency, "residency",
               "what stands in for levels of detail that are still on their way (--vram-budget)"},
    ShowChoice{Show::kAge, "age", "how long ago what is drawn was read (--vram-budget)"},
    ShowChoice{Show::kShadowMaps, "shadow-maps",
               "the shadow map that the sun is looked up in; dim where it does not shine"},
    ShowChoice{Show::kShadowTexels, "shadow-texels", "how many pixels a texel of that map covers"},
    ShowChoice{Show::kShadowDepths, "shadow-depths",
               "the depths of all shadow maps, the sun's smallest first: near the light bright"},
    ShowChoice{Show::kOverdraw, "overdraw", "how many triangles that culling left cover a pixel"},
    ShowChoice{Show::kBlendLayers, "blend-layers", "how many layers of what blends lie in front (--blend-layers)"},
    ShowChoice{Show::kCulled, "culled", "what culling rejects, by the test that does, over a dim picture"},
    ShowChoice{Show::kBaseColor, "base-color", "the colour of materials and vertices, without light"},
    ShowChoice{Show::kMetallicRoughness, "metallic-roughness",
               "roughness green, metal blue, as glTF's textures have them"},
    ShowChoice{Show::kOcclusion, "occlusion", "how much of the light from all around arrives"},
    ShowChoice{Show::kEmission, "emission", "light that materials give off"},
    ShowChoice{Show::kMotion, "motion", "how far what is seen has moved since the last frame: right red, up green"},
    ShowChoice{Show::kBarycentrics, "barycentrics", "a colour for each corner of a triangle"},
};

}  // namespace

std::span<const ShowChoice> all_shows() {
    return kShows;
}

std::string_view view_help(Show show) {
    for (const ShowChoice& choice : kShows) {
        if (choice.value == show) return choice.help;
    }
    return {};
}

std::optional<std::string> view_unavailable(Show show, const gpu::Capabilities& capabilities, const SceneFacts& scene) {
    if (show != Show::kOverdraw && show != Show::kCulled) return std::nullopt;
    const std::uint64_t most =
        std::min<std::uint64_t>(capabilities.limits.maxStorageBufferRange, capabilities.max_buffer_size);
    if (scene.sublets <= most) return std::nullopt;
    return "it takes a byte for each of " + std::to_string(scene.sublets) +
           " sublets in one buffer, and this device binds " + std::to_string(most) + " bytes";
}

}  // namespace sublet::render
