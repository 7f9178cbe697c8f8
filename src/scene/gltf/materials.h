// Materials, textures, samplers and images.
#pragma once

#include <vector>

#include "scene/gltf/document.h"
#include "scene/gltf/geometry.h"
#include "scene/scene.h"

namespace sublet::scene::gltf {

// For each material of the document, which TEXCOORD sets its textures name.
[[nodiscard]] std::vector<UvSlots> uv_slots_of_materials(const Document& document);

// The emissive factor of a material and, as w, its strength (KHR_materials_emissive_strength).
[[nodiscard]] glm::vec4 emission_of(const Document& document, std::size_t material);

// Fills the scene's materials, textures, samplers and images: all materials, and of the others what they use. A texture
// whose image is not there, or in no format that can be shown, is left out with a note.
void read_materials(Document& document, Scene& scene);

}  // namespace sublet::scene::gltf
