// From source indices to the triangles that are encoded.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/vertices.h"

namespace sublet::mesh {

using Triangle = std::array<std::uint32_t, 3>;  // vertices of a VertexTable

// Whether corners on the grid span an area; exact.
[[nodiscard]] bool has_grid_area(const GridPoint& a, const GridPoint& b, const GridPoint& c);

// Whether a triangle is higher over its longest edge than `height`, which is not negative.
[[nodiscard]] bool is_higher_than(const std::array<float, 3>& a, const std::array<float, 3>& b,
                                  const std::array<float, 3>& c, double height);

// Whether a triangle of the source has an area that its coordinates can tell: it is higher than two rounding steps of a
// float of the size of its largest coordinate. Less is what rounding makes of corners on a line.
[[nodiscard]] bool has_source_area(const std::array<float, 3>& a, const std::array<float, 3>& b,
                                   const std::array<float, 3>& c);

struct CleanTriangles {
    std::vector<Triangle> triangles;  // each beginning with its least vertex, and in the order of their vertices
    std::uint64_t dropped_degenerate = 0;
    std::uint64_t dropped_by_grid = 0;  // of these, those with has_source_area()
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
