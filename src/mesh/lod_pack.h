// From levels of detail to the arrays of the format.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/grid.h"
#include "mesh/lod.h"
#include "mesh/mesh.h"

namespace sublet::mesh {

// All levels of one mesh, the coarsest first, and within a level by groups. Meshlets are of eight sublets, of which the
// last may be empty, but for the last of the finest.
struct OrderedLevels {
    Clusters clusters;
    std::uint32_t coarse_meshlets = 0;  // those before the finest
    std::vector<LodMeshlet> meshlets;
};
[[nodiscard]] OrderedLevels order_levels(const Lod& lod, std::uint32_t mesh);

// The groups in object space, their spheres rounded outwards: each holds those of the groups that its meshlets were
// simplified from.
[[nodiscard]] std::vector<LodGroup> place_groups(const Lod& lod, const PositionGrid& grid);

}  // namespace sublet::mesh
