#include "scene/animation_pointer.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

#include "scene/material_fields.h"

namespace sublet::scene {
namespace {

struct Named {
    std::string pointer;  // behind the material
    MaterialProperty property;
};

// As for_each_texture() visits them.
std::vector<std::string> texture_pointers() {
    std::vector<std::string> out{"pbrMetallicRoughness/baseColorTexture", "normalTexture",
                                 "pbrMetallicRoughness/metallicRoughnessTexture", "emissiveTexture",
                                 "occlusionTexture"};
    const Material any;
    for_each_extension_field(
        [&out](const MaterialField& field, const auto& value) {
            if constexpr (kIsTexture<decltype(value)>) {
                out.push_back(std::string("extensions/") + field.extension + "/" + field.name);
            }
        },
        any);
    return out;
}

std::vector<Named> make_properties() {
    std::vector<Named> out{
        {"pbrMetallicRoughness/baseColorFactor", {AnimationPath::kBaseColor}},
        {"pbrMetallicRoughness/metallicFactor", {AnimationPath::kMetallic}},
        {"pbrMetallicRoughness/roughnessFactor", {AnimationPath::kRoughness}},
        {"emissiveFactor", {AnimationPath::kEmissiveFactor}},
        {"extensions/KHR_materials_emissive_strength/emissiveStrength", {AnimationPath::kEmissiveStrength}},
        {"normalTexture/scale", {AnimationPath::kNormalScale}},
        {"occlusionTexture/strength", {AnimationPath::kOcclusionStrength}},
        {"alphaCutoff", {AnimationPath::kAlphaCutoff}}};
    const std::vector<std::string> textures = texture_pointers();
    for (std::uint32_t t = 0; t < textures.size(); ++t) {
        const std::string transform = textures[t] + "/extensions/KHR_texture_transform/";
        out.push_back({transform + "offset", {AnimationPath::kTextureOffset, t}});
        out.push_back({transform + "rotation", {AnimationPath::kTextureRotation, t}});
        out.push_back({transform + "scale", {AnimationPath::kTextureScale, t}});
    }
    return out;
}

const std::vector<Named>& properties() {
    static const std::vector<Named> all = make_properties();
    return all;
}

struct NamedOfLight {
    std::string_view pointer;  // behind the light
    AnimationPath path;
};
constexpr NamedOfLight kOfLights[] = {{"color", AnimationPath::kLightColor},
                                      {"intensity", AnimationPath::kLightIntensity},
                                      {"range", AnimationPath::kLightRange},
                                      {"spot/innerConeAngle", AnimationPath::kLightInnerCone},
                                      {"spot/outerConeAngle", AnimationPath::kLightOuterCone}};

std::optional<std::size_t> as_index(std::string_view text) {
    std::size_t out = 0;
    const char* const end = text.data() + text.size();
    if (std::from_chars(text.data(), end, out).ptr != end) return std::nullopt;
    return out;
}

}  // namespace

std::optional<ItemPointer> item_pointer(std::string_view pointer, std::string_view array) {
    const std::string begin = "/" + std::string(array) + "/";
    if (!pointer.starts_with(begin)) return std::nullopt;
    const std::size_t slash = pointer.find('/', begin.size());
    if (slash == std::string_view::npos) return std::nullopt;
    return ItemPointer{pointer.substr(begin.size(), slash - begin.size()), pointer.substr(slash + 1)};
}

std::optional<MaterialProperty> material_property(std::string_view name) {
    const auto found = std::ranges::find(properties(), name, &Named::pointer);
    if (found == properties().end()) return std::nullopt;
    return found->property;
}

std::optional<MaterialPointer> material_pointer(std::string_view pointer) {
    const std::optional<ItemPointer> item = item_pointer(pointer, "materials");
    if (!item) return std::nullopt;
    const std::optional<MaterialProperty> property = material_property(item->property);
    const std::optional<std::size_t> index = as_index(item->index);
    if (!property || !index) return std::nullopt;
    return MaterialPointer{*index, *property};
}

std::optional<AnimationPath> light_property(std::string_view name) {
    const auto* const found = std::ranges::find(kOfLights, name, &NamedOfLight::pointer);
    if (found == std::end(kOfLights)) return std::nullopt;
    return found->path;
}

std::optional<LightPointer> light_pointer(std::string_view pointer) {
    const std::optional<ItemPointer> item = item_pointer(pointer, kLightsPath);
    if (!item) return std::nullopt;
    const std::optional<AnimationPath> path = light_property(item->property);
    const std::optional<std::size_t> index = as_index(item->index);
    if (!path || !index) return std::nullopt;
    return LightPointer{*index, *path};
}

std::string pointer_of(const AnimationChannel& channel) {
    if (is_of_node(channel.path)) {
        return "/nodes/" + std::to_string(channel.node) + "/" + kVisibilityPath;
    }
    if (is_of_light(channel.path)) {
        const auto* const named = std::ranges::find(kOfLights, channel.path, &NamedOfLight::path);
        return "/" + std::string(kLightsPath) + "/" + std::to_string(channel.light) + "/" + std::string(named->pointer);
    }
    const std::uint32_t texture = is_of_texture(channel.path) ? channel.texture : 0;
    const auto found = std::ranges::find_if(properties(), [&](const Named& named) {
        return named.property.path == channel.path && named.property.texture == texture;
    });
    return "/materials/" + std::to_string(channel.material) + "/" +
           (found == properties().end() ? std::string() : found->pointer);
}

}  // namespace sublet::scene
