// The fields of materials, one after the other: what reads, checks, keeps or writes materials goes by these lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "scene/material.h"

namespace sublet::scene {

// How the texels of a texture are meant.
enum class TextureUse : std::uint8_t {
    kColor,   // RGB as sRGB, A linear
    kData,    // linear
    kNormal,  // linear: directions
};

// The channels of a texture that a material reads, as bits.
using Channels = std::uint8_t;
inline constexpr Channels kRed = 1, kGreen = 2, kBlue = 4, kAlpha = 8, kRgb = kRed | kGreen | kBlue;

// The values that a number may have.
struct Range {
    float least = std::numeric_limits<float>::lowest();
    float most = std::numeric_limits<float>::max();
    bool or_zero = false;

    [[nodiscard]] bool contains(float value) const {
        return (value >= least && value <= most) || (or_zero && value == 0.0F);
    }
    // What is used in place of a value outside: the nearest one; but a distance of nothing was meant to be endless.
    [[nodiscard]] float mended(float value) const {
        return value < least && most > std::numeric_limits<float>::max() ? most : std::clamp(value, least, most);
    }
};

// A field that an extension adds to a material: a float, a colour (glm::vec3) or a TextureRef.
struct MaterialField {
    const char* extension;
    const char* name;                    // within the extension
    Range range = {};                    // of the float, or of each component of the colour
    TextureUse use = TextureUse::kData;  // of the texture
    Channels channels = kRgb;            // of the texture
};

// Whether a field, of that type or a reference to it, is a TextureRef.
template <typename T>
inline constexpr bool kIsTexture = std::is_same_v<std::remove_cvref_t<T>, TextureRef>;

// Calls visit(field, material.member...) for every field that an extension adds: of one material, or of several at a
// time. The .sublet file keeps them in this order (docs/FORMAT.md): one more needs a section
// of its own.
template <typename Visit, typename... Materials>
void for_each_extension_field(const Visit& visit, Materials&... m) {
    constexpr float kMax = std::numeric_limits<float>::max();
    constexpr Range kUnit{0.0F, 1.0F};
    constexpr Range kPositive{0.0F, kMax};
    constexpr Range kDistance{std::numeric_limits<float>::min(), std::numeric_limits<float>::infinity()};
    constexpr Range kIor{1.0F, kMax};
    constexpr Range kIorOrZero{1.0F, kMax, true};
    const auto number = [&](const char* extension, const char* name, const Range& range, auto&... value) {
        visit(MaterialField{.extension = extension, .name = name, .range = range}, value...);
    };
    const auto texture = [&](const char* extension, const char* name, TextureUse use, Channels channels,
                             auto&... value) {
        visit(MaterialField{.extension = extension, .name = name, .use = use, .channels = channels}, value...);
    };
    const char* extension = "KHR_materials_ior";
    number(extension, "ior", kIorOrZero, m.ior...);

    extension = "KHR_materials_specular";
    number(extension, "specularFactor", kUnit, m.specular.factor...);
    texture(extension, "specularTexture", TextureUse::kData, kAlpha, m.specular.texture...);
    number(extension, "specularColorFactor", kPositive, m.specular.color...);
    texture(extension, "specularColorTexture", TextureUse::kColor, kRgb, m.specular.color_texture...);

    extension = "KHR_materials_clearcoat";
    number(extension, "clearcoatFactor", kUnit, m.clearcoat.factor...);
    texture(extension, "clearcoatTexture", TextureUse::kData, kRed, m.clearcoat.texture...);
    number(extension, "clearcoatRoughnessFactor", kUnit, m.clearcoat.roughness...);
    texture(extension, "clearcoatRoughnessTexture", TextureUse::kData, kGreen, m.clearcoat.roughness_texture...);
    texture(extension, "clearcoatNormalTexture", TextureUse::kNormal, kRgb, m.clearcoat.normal_texture...);

    extension = "KHR_materials_sheen";
    number(extension, "sheenColorFactor", kUnit, m.sheen.color...);
    texture(extension, "sheenColorTexture", TextureUse::kColor, kRgb, m.sheen.color_texture...);
    number(extension, "sheenRoughnessFactor", kUnit, m.sheen.roughness...);
    texture(extension, "sheenRoughnessTexture", TextureUse::kData, kAlpha, m.sheen.roughness_texture...);

    extension = "KHR_materials_transmission";
    number(extension, "transmissionFactor", kUnit, m.transmission.factor...);
    texture(extension, "transmissionTexture", TextureUse::kData, kRed, m.transmission.texture...);

    extension = "KHR_materials_volume";
    number(extension, "thicknessFactor", kPositive, m.volume.thickness...);
    texture(extension, "thicknessTexture", TextureUse::kData, kGreen, m.volume.thickness_texture...);
    number(extension, "attenuationDistance", kDistance, m.volume.attenuation_distance...);
    number(extension, "attenuationColor", kUnit, m.volume.attenuation_color...);

    extension = "KHR_materials_anisotropy";
    number(extension, "anisotropyStrength", kUnit, m.anisotropy.strength...);
    number(extension, "anisotropyRotation", Range{}, m.anisotropy.rotation...);
    texture(extension, "anisotropyTexture", TextureUse::kData, kRgb, m.anisotropy.texture...);

    extension = "KHR_materials_iridescence";
    number(extension, "iridescenceFactor", kUnit, m.iridescence.factor...);
    texture(extension, "iridescenceTexture", TextureUse::kData, kRed, m.iridescence.texture...);
    number(extension, "iridescenceIor", kIor, m.iridescence.ior...);
    number(extension, "iridescenceThicknessMinimum", kPositive, m.iridescence.thickness_minimum...);
    number(extension, "iridescenceThicknessMaximum", kPositive, m.iridescence.thickness_maximum...);
    texture(extension, "iridescenceThicknessTexture", TextureUse::kData, kGreen, m.iridescence.thickness_texture...);

    extension = "KHR_materials_dispersion";
    number(extension, "dispersion", kPositive, m.dispersion...);
}

// Whether any of those fields is not as a material without the extensions has it.
[[nodiscard]] inline bool has_extension_fields(const Material& material) {
    const Material plain;
    bool found = false;
    for_each_extension_field([&found](const MaterialField&, const auto& value,
                                      const auto& otherwise) { found = found || !(value == otherwise); },
                             material, plain);
    return found;
}

// The numbers of a field: one, or the three of a colour.
[[nodiscard]] inline std::span<float> components(float& value) {
    return {&value, 1};
}
[[nodiscard]] inline std::span<float> components(glm::vec3& value) {
    return {&value.x, 3};
}
[[nodiscard]] inline std::span<const float> components(const float& value) {
    return {&value, 1};
}
[[nodiscard]] inline std::span<const float> components(const glm::vec3& value) {
    return {&value.x, 3};
}

// Calls visit(reference, use, channels) for every texture reference of a material, the most important first.
template <typename Visit, typename Material>
void for_each_texture(const Visit& visit, Material& material) {
    const bool opaque = material.alpha_mode == AlphaMode::kOpaque;
    visit(material.base_color_texture, TextureUse::kColor, opaque ? kRgb : Channels{kRgb | kAlpha});
    visit(material.normal_texture, TextureUse::kNormal, kRgb);
    visit(material.metallic_roughness_texture, TextureUse::kData, Channels{kGreen | kBlue});
    visit(material.emissive_texture, TextureUse::kColor, kRgb);
    visit(material.occlusion_texture, TextureUse::kData, kRed);
    for_each_extension_field(
        [&visit](const MaterialField& field, auto& value) {
            if constexpr (kIsTexture<decltype(value)>) visit(value, field.use, field.channels);
        },
        material);
}

// How many texture references a material has, those without a texture too.
inline constexpr std::uint32_t kMaterialTextures = 17;

// Its texture reference of that number, as for_each_texture() visits them.
[[nodiscard]] inline TextureRef& texture_of(Material& material, std::uint32_t number) {
    TextureRef* found = &material.base_color_texture;
    std::uint32_t next = 0;
    for_each_texture(
        [&](TextureRef& reference, auto... /*how it is used*/) { found = next++ == number ? &reference : found; },
        material);
    return *found;
}
[[nodiscard]] inline const TextureRef& texture_of(const Material& material, std::uint32_t number) {
    return texture_of(const_cast<Material&>(material), number);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace sublet::scene
