// Materials as the GPU reads them.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/material_fields.h"
#include "scene/scene.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// A texture of the scene as materials read it. One that is read in several ways is there as often.
struct BoundTexture {
    int texture = -1;
    scene::TextureUse use = scene::TextureUse::kColor;
    bool emission_alone = false;  // nothing reads it but emission

    friend bool operator==(const BoundTexture&, const BoundTexture&) = default;
};

struct SceneMaterials {
    std::vector<shared::Material> materials;
    std::vector<shared::MaterialLobes> lobes;        // one at least
    std::vector<shared::UvTransform> uv_transforms;  // number 0 changes nothing
    // shared::TextureSlot::texture counts these. Those that matter most come first, for a device that binds few.
    std::vector<BoundTexture> textures;
    std::uint32_t features = 0;  // shared/shade.h, kFeature..., but for what meshes have
};

// `most_textures`: how many the device binds at once; what is beyond them is left out.
[[nodiscard]] SceneMaterials make_materials(const scene::Scene& scene, std::uint32_t most_textures);

// Whether a texture with this sampler is minified along the longer side of what a pixel sees: its texels are averaged,
// and it has mips.
[[nodiscard]] bool is_anisotropic(const scene::Sampler& sampler);

}  // namespace sublet::render
