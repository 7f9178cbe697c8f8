// Triangles into sublets, and sublets into meshlets.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/triangles.h"
#include "mesh/vertices.h"

namespace sublet {
class Progress;
}

namespace sublet::mesh {

using LocalTriangle = std::array<std::uint8_t, 3>;

// Runs of `vertices` and `triangles` of a Clusters: at most kSubletSize of each, at least one triangle.
struct Sublet {
    std::uint32_t first_vertex = 0;
    std::uint32_t first_triangle = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t triangle_count = 0;
};

// Sublets in their final order: 8m .. 8m+7 make meshlet m.
struct Clusters {
    std::vector<Sublet> sublets;
    std::vector<std::uint32_t> vertices;   // of a VertexTable
    std::vector<LocalTriangle> triangles;  // of vertices of their sublet
};

// Clusters triangles of a VertexTable: each in exactly one sublet, winding kept. The result depends on the input alone,
// not on the pool. Time is n log n in the triangles at worst, whatever their shape. `progress`, if any, advances by the
// triangles.
[[nodiscard]] Clusters cluster_triangles(std::span<const Triangle> triangles, const VertexTable& vertices,
                                         ThreadPool* pool, Progress* progress = nullptr);

}  // namespace sublet::mesh
