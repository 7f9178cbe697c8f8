// What of materials animations drive, as scene/animate_materials.comp reads it (shared::MaterialDriver).
#pragma once

#include "render/scene/materials.h"
#include "render/scene/scene_animation.h"
#include "scene/scene.h"

namespace sublet::render {

// Adds the channels of data.played_materials, and what they drive. After all other channels, and after make_materials()
// with them. What nobody can see is left out: textures that are not bound, and the cutoff of what has no mask.
void add_material_drivers(AnimationData& data, const scene::Scene& scene, const SceneMaterials& materials);

}  // namespace sublet::render
