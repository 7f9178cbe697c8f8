// The order of a sublet's triangles, corners and vertices: strips, which the compact coding stores in few bits, and
// which every coding keeps.
#pragma once

#include <cstdint>
#include <span>

#include "mesh/cluster.h"

namespace sublet::mesh {

// Puts the triangles of a sublet in strips, as few as it finds: but for the first of a strip, a triangle shares an edge
// with the one before it, and not that which the one before shares with its own predecessor. The vertex that it adds is
// its first corner, so that most vertices lead one triangle; where that vertex leads two already, it may be another.
// Strips, and triangles in them, keep near the order that they came in. Vertices get the order of their first use,
// those in no triangle come last. The triangles (1 to kSubletSize) are of `vertices` (1 to kSubletSize); they keep
// their winding.
void order_as_strips(std::span<LocalTriangle> triangles, std::span<std::uint32_t> vertices);

}  // namespace sublet::mesh
