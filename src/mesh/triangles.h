// From source indices to the triangles that are encoded.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/vertices.h"

namespace sublet::mesh {

using Triangle = std::array<std::uint32_t, 3>;  // vertices of a VertexTable

struct CleanTriangles {
    std::vector<Triangle> triangles;  // each beginning with its least vertex, and in the order of their vertices
    std::uint64_t dropped_degenerate = 0;
    std::uint64_t dropped_by_grid = 0;  // of these, those with area between their source positions
    std::uint64_t dropped_duplicate = 0;
};

// The triangles of `indices` into `positions`, renumbered by `remap`, without those that repeat a vertex or span no
// area on the grid, and without repetitions of a triangle with the same vertices in the same winding. A triangle whose
// corners a morph target moves apart is kept: it may gain area.
[[nodiscard]] CleanTriangles clean_triangles(std::span<const std::uint32_t> indices,
                                             std::span<const std::array<float, 3>> positions,
                                             const std::vector<std::uint32_t>& remap, const VertexTable& vertices,
                                             ThreadPool* pool);

}  // namespace sublet::mesh
