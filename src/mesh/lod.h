// Levels of detail: from the meshlets of a mesh group to ever fewer that look alike from farther away.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "mesh/cluster.h"
#include "mesh/vertices.h"

namespace sublet::mesh {

// Meshlets that are simplified as one, and drawn or left out as one.
struct LodNode {
    // Holds its meshlets, and the spheres of the groups that these were simplified from. Grid units.
    std::array<float, 3> center{};
    float radius = 0.0F;
    // Of what it was simplified to, against the finest meshlets: a distance in grid units. Not less than those of the
    // groups that its meshlets were simplified from. Infinite: it was not simplified.
    float error = std::numeric_limits<float>::infinity();
    std::uint32_t level = 0;  // its meshlets' at most
};

struct LodPart {
    std::uint32_t mesh = 0;
    std::uint32_t first_sublet = 0;  // of the mesh's clusters
    std::uint32_t sublet_count = 0;
    std::uint32_t group = shared::kNoLodGroup;            // that contains it
    std::uint32_t simplified_from = shared::kNoLodGroup;  // the finest: none
    std::uint32_t level = 0;                              // how often it was simplified; the finest: 0
};

// All levels of the meshes of a group. Any choice of a bound of error E and of any point gives a whole surface: the
// meshlets whose own group is to be refined (its error seems larger than E), while that which they were simplified from
// is not.
struct Lod {
    std::vector<VertexTable> tables;  // of each mesh: as they came, and behind them what coarser levels add
    std::vector<Clusters> clusters;   // of each mesh: the finest first, as they came
    std::vector<LodPart> meshlets;
    std::vector<LodNode> groups;
};

// Builds them over the finest meshlets (sublets 8m to 8m+7 of a mesh). Depends on its input alone, not on the pool.
[[nodiscard]] Lod build_lod(std::vector<VertexTable> tables, std::vector<Clusters> finest, ThreadPool* pool);

}  // namespace sublet::mesh
