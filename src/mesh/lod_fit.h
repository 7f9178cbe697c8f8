// A simplified group moved to the middle of what it stands for.
#pragma once

#include <span>
#include <vector>

#include "mesh/lod_error.h"
#include "mesh/lod_vertices.h"

namespace sublet::mesh {

// Where corners of `triangles` should lie instead, ascending by positions. A surface whose corners lie on a round one
// lies within it, and covers less of a picture. So each corner moves along its normal by a share of what the finest
// surface is away from the triangles around it, such that the group covers what the finest surface does. Positions of
// the group of which `free` is 0 stay. No triangle turns over, and none leaves its mesh's box.
[[nodiscard]] std::vector<MovedPosition> fit_group(const LodVertices& vertices, GroupBefore& before,
                                                   std::span<const Triangle> triangles, std::span<const char> free);

}  // namespace sublet::mesh
