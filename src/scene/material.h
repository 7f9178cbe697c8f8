// Materials, as glTF describes them. Colours are linear; what a texture reference names is multiplied by its factor.
// The structs without a comment of their own are the extensions of their name, KHR_materials_...
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <string>

namespace sublet::scene {

enum class AlphaMode : std::uint8_t { kOpaque, kMask, kBlend };

struct TextureRef {
    int texture = -1;
    int uv_set = 0;
    // KHR_texture_transform: uv' = offset + rotation * (scale * uv)
    glm::vec2 offset{0.0F};
    glm::vec2 scale{1.0F};
    float rotation = 0.0F;
    float strength = 1.0F;  // normal scale or occlusion strength

    bool operator==(const TextureRef&) const = default;
};

struct Specular {
    float factor = 1.0F;
    TextureRef texture;  // A
    glm::vec3 color{1.0F};
    TextureRef color_texture;  // RGB

    bool operator==(const Specular&) const = default;
};

struct Clearcoat {
    float factor = 0.0F;
    TextureRef texture;  // R
    float roughness = 0.0F;
    TextureRef roughness_texture;  // G
    TextureRef normal_texture;

    bool operator==(const Clearcoat&) const = default;
};

struct Sheen {
    glm::vec3 color{0.0F};
    TextureRef color_texture;  // RGB
    float roughness = 0.0F;
    TextureRef roughness_texture;  // A

    bool operator==(const Sheen&) const = default;
};

struct Transmission {
    float factor = 0.0F;
    TextureRef texture;  // R

    bool operator==(const Transmission&) const = default;
};

struct Volume {
    float thickness = 0.0F;        // in the mesh's own space
    TextureRef thickness_texture;  // G
    float attenuation_distance = std::numeric_limits<float>::infinity();
    glm::vec3 attenuation_color{1.0F};

    bool operator==(const Volume&) const = default;
};

struct Anisotropy {
    float strength = 0.0F;
    float rotation = 0.0F;  // counter-clockwise from the tangent
    TextureRef texture;     // RG: direction; B: strength

    bool operator==(const Anisotropy&) const = default;
};

struct Iridescence {
    float factor = 0.0F;
    TextureRef texture;  // R
    float ior = 1.3F;
    float thickness_minimum = 100.0F, thickness_maximum = 400.0F;  // nanometres
    TextureRef thickness_texture;                                  // G

    bool operator==(const Iridescence&) const = default;
};

struct Material {
    std::string name;
    glm::vec4 base_color{1.0F};
    TextureRef base_color_texture;
    float metallic = 1.0F;
    float roughness = 1.0F;
    TextureRef metallic_roughness_texture;
    TextureRef normal_texture;
    TextureRef occlusion_texture;
    glm::vec3 emissive{0.0F};  // factor * KHR_materials_emissive_strength
    TextureRef emissive_texture;
    AlphaMode alpha_mode = AlphaMode::kOpaque;
    float alpha_cutoff = 0.5F;
    bool double_sided = false;
    bool unlit = false;
    // Fields of extensions: material_fields.h lists them.
    float ior = 1.5F;  // 0: infinite, for materials converted from specular-glossiness
    Specular specular;
    Clearcoat clearcoat;
    Sheen sheen;
    Transmission transmission;
    Volume volume;
    Anisotropy anisotropy;
    Iridescence iridescence;
    float dispersion = 0.0F;  // 20 / Abbe number

    bool operator==(const Material&) const = default;
};

}  // namespace sublet::scene
