// What the materials of a scene use its textures and images for: it decides how texels are decoded and compressed.
#pragma once

#include <set>
#include <vector>

#include "scene/material_fields.h"
#include "scene/mips.h"
#include "scene/scene.h"

namespace sublet::scene {

// One image may be colour in a material and data in another, or both in one.
using TextureUses = std::set<TextureUse>;

// For each texture of the scene, what materials use it for; nothing where none does.
[[nodiscard]] std::vector<TextureUses> texture_uses(const Scene& scene);

// The same for each image: the uses of all its textures.
[[nodiscard]] std::vector<TextureUses> image_uses(const Scene& scene);

// For each image, how its mips are made where it is read as colour. Where a material uses it for its base colour and
// blends by alpha or has a mask, whatever else uses it: colours are weighed by alpha, and the coverage of the first
// such mask is kept, by the alpha that its cutoff and its base colour's factor leave.
[[nodiscard]] std::vector<MipFilter> color_mip_filters(const Scene& scene);

}  // namespace sublet::scene
