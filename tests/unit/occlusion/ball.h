// A mesh with levels of detail.
#pragma once

#include "mesh/mesh.h"

namespace sublet::render {

// A ball with bumps, of two materials: two meshes of one group, in the compact coding.
[[nodiscard]] mesh::Geometry make_ball();

}  // namespace sublet::render
