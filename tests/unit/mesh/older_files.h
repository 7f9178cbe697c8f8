// Geometry as files hold it that were written before joints deformed anything.
#pragma once

#include "mesh/mesh.h"

namespace sublet::mesh::test {

// The same meshes with shared::kStreamBoneWeights in the place of joint weights: four bytes that sum to 255, of the
// four strongest joints. Its readers take the positions for posed in the world. Of validated geometry.
[[nodiscard]] Geometry with_bone_weights(const GeometryView& geometry);

}  // namespace sublet::mesh::test
