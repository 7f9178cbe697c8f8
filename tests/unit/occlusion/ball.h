// A mesh with levels of detail.
#pragma once

#include <cstdint>

#include "mesh/mesh.h"

namespace sublet::render {

// A ball with bumps, of two materials: two meshes of one group, in the compact coding. `rows`: of triangles, from pole
// to pole; 4 rows^2 triangles.
[[nodiscard]] mesh::Geometry make_ball(std::uint32_t rows = 48);

}  // namespace sublet::render
