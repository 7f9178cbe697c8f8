// Materials as the GPU reads them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "scene/animation.h"
#include "scene/material_fields.h"
#include "scene/scene.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// What reads a texture: that tells what stands in for it.
enum class ReadBy : std::uint8_t { kOthers, kEmissionAlone, kAnisotropyAlone };

// A texture of the scene as materials read it. One that is read in several ways is there as often.
struct BoundTexture {
    int texture = -1;
    scene::TextureUse use = scene::TextureUse::kColor;
    ReadBy read_by = ReadBy::kOthers;
    bool cuts = false;  // its alpha says what is drawn: what nobody sees for it is not sampled where it is shaded

    friend bool operator==(const BoundTexture&, const BoundTexture&) = default;
};

struct SceneMaterials {
    std::vector<shared::Material> materials;
    std::vector<shared::MaterialLobes> lobes;        // one at least
    std::vector<shared::UvTransform> uv_transforms;  // number 0 changes nothing
    // Of each texture of a material whose transform is played, by their numbers: that of its UvTransform.
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> played_transforms;
    // shared::TextureSlot::texture counts these. Those that matter most come first, for a device that binds few.
    std::vector<BoundTexture> textures;
    std::uint32_t features = 0;  // shared/shade.h, kFeature..., but for what meshes have
    // The most that a transmissive surface blurs, of 0 to 1: shaders/shade/transmission.glsl, behind_radiance().
    float transmission_blur = 0.0F;
};

// Whether light goes through a surface of it: KHR_materials_transmission.
[[nodiscard]] bool is_transmissive(const scene::Material& material);

// `most_textures`: how many the device binds at once; what is beyond them is left out. `played`: channels that play
// materials (scene::played_materials()).
[[nodiscard]] SceneMaterials make_materials(const scene::Scene& scene, std::uint32_t most_textures,
                                            std::span<const scene::PlayedChannel> played = {});

// Whether a texture with this sampler is minified along the longer side of what a pixel sees: its texels are averaged,
// and it has mips.
[[nodiscard]] bool is_anisotropic(const scene::Sampler& sampler);

}  // namespace sublet::render
