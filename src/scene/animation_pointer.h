// What of KHR_animation_pointer plays beside what glTF's own channels name: nodes' visibility, materials' main factors
// and the transforms of their textures, and lights. JSON pointers (RFC 6901), both ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scene/scene.h"

namespace sublet::scene {

inline constexpr const char* kAnimationPointer = "KHR_animation_pointer";

// A property of a material.
struct MaterialProperty {
    AnimationPath path = AnimationPath::kBaseColor;
    std::uint32_t texture = 0;  // of those that are a texture's: AnimationChannel::texture
};

// Of a node, behind "/nodes/7/".
inline constexpr const char* kVisibilityPath = "extensions/KHR_node_visibility/visible";

// The array of lights, which belongs to an extension.
inline constexpr const char* kLightsPath = "extensions/KHR_lights_punctual/lights";

// "/materials/7/alphaCutoff": a property of one of an array's items. None where it is not of that array.
struct ItemPointer {
    std::string_view index;     // as it stands there
    std::string_view property;  // behind it
};
[[nodiscard]] std::optional<ItemPointer> item_pointer(std::string_view pointer, std::string_view array);

// The property of that name; none for any other text.
[[nodiscard]] std::optional<MaterialProperty> material_property(std::string_view name);

// What a pointer names whose index is a number.
struct MaterialPointer {
    std::size_t material = 0;
    MaterialProperty property;
};
[[nodiscard]] std::optional<MaterialPointer> material_pointer(std::string_view pointer);

// The property of a light that has that name; none for any other text.
[[nodiscard]] std::optional<AnimationPath> light_property(std::string_view name);

// What a pointer names whose index is a number.
struct LightPointer {
    std::size_t light = 0;
    AnimationPath path = AnimationPath::kLightColor;
};
[[nodiscard]] std::optional<LightPointer> light_pointer(std::string_view pointer);

// The pointer of a channel for which glTF has no path (is_plain()).
[[nodiscard]] std::string pointer_of(const AnimationChannel& channel);

}  // namespace sublet::scene
