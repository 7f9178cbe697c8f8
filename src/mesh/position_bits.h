// How many bits the positions of meshes get that share a grid, where nobody asks for a number.
#pragma once

#include <cstdint>
#include <span>

#include "mesh/grid.h"
#include "mesh/mesh.h"
#include "mesh/vertices.h"

namespace sublet::mesh {

// Whether a grid that takes the area of `lost` triangles is too coarse: more than 0.5 % of them.
[[nodiscard]] constexpr bool is_too_coarse(std::uint64_t lost, std::uint64_t triangles) {
    return lost > triangles / 200;
}

// How many triangles have area in the source (has_source_area()) and none on the grid. Those whose corners a morph
// target moves apart don't count: they are kept.
[[nodiscard]] std::uint64_t count_lost(std::span<const MeshInput> meshes, const PositionGrid& grid, ThreadPool* pool);

struct PositionBits {
    int bits = kDefaultPositionBits;
    std::uint64_t lost_by_default = 0;  // where there are more than the default: what that would lose
};

// The default where it is fine enough. Else the fewest that are; where `most` are too coarse too, the fewest that
// lose no more than 0.5 % of the triangles beyond what these lose. So bits that gain nothing are not taken.
//
// Positions that a grid of more bits than the default has exactly keep those bits, so that what was decoded is encoded
// to the same integers again. `box` holds all vertices in use; they are finite, and indices are in range.
[[nodiscard]] PositionBits choose_position_bits(std::span<const MeshInput> meshes, const FloatBox& box, int most,
                                                ThreadPool* pool);

}  // namespace sublet::mesh
