// Texture coordinates as a file gives them may be far smaller than 1, and enlarged by KHR_texture_transform: so tools
// write what they quantised. The grid that an encoded file rounds coordinates to is too coarse for that.
#pragma once

#include "scene/import.h"

namespace sublet::scene {

// Applies transforms that enlarge coordinates more than four times to the coordinates themselves, and takes them from
// the materials. A UV set of a mesh is changed where all that reads it agrees on one transform, which neither turns nor
// mirrors, and where it then lies near [0, 1]; so is a material where that holds of all meshes that have it.
void bake_enlarging_transforms(ImportedScene& scene);

// Whether a material has one, so that the above may change a mesh.
[[nodiscard]] bool has_enlarging_transforms(const Scene& scene);

}  // namespace sublet::scene
