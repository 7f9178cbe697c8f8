// A group of meshlets with fewer triangles.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mesh/triangles.h"
#include "mesh/vertices.h"

namespace sublet::mesh {

// A triangle of a group, which may hold meshlets of several meshes.
struct GroupTriangle {
    std::uint32_t mesh = 0;
    Triangle vertices{};  // of that mesh's VertexTable

    friend bool operator==(const GroupTriangle&, const GroupTriangle&) = default;
};

// The meshes of a group, vertices at one place side by side, and where these lie: vertices of all meshes at one place
// have one number, below 2^31.
struct GroupMeshes {
    std::span<const VertexTable> tables;
    std::span<const std::vector<std::uint32_t>> positions;  // of each mesh: of its vertices
};

// Vertices at one place of which simplifying makes one, which may keep it from collapsing edges between them.
enum class Wedges : std::uint8_t {
    kAlike,   // those with equal texture coordinates and colours, and normals within 10 degrees
    kSmooth,  // within 60 degrees
    kAll,     // all of one mesh
};

// As many triangles as `target`, or as few as can be, by collapsing edges to one of their ends: no vertex is new, and
// those at a position of which `locked` holds stay. Whether the boundary stayed is for the caller to see.
[[nodiscard]] std::vector<GroupTriangle> simplify_group(const GroupMeshes& meshes,
                                                        std::span<const GroupTriangle> triangles, std::size_t target,
                                                        Wedges wedges,
                                                        const std::function<bool(std::uint32_t position)>& locked);

// Without pairs of triangles that have the same corners, by positions, and face opposite ways: what thin parts come to.
// The boundary stays.
void drop_opposite_pairs(const GroupMeshes& meshes, std::vector<GroupTriangle>& triangles);

// The directed edges, by positions, of which triangles have one way more often than the other, ascending; as often as
// that is so.
using DirectedEdge = std::array<std::uint32_t, 2>;
[[nodiscard]] std::vector<DirectedEdge> boundary(const GroupMeshes& meshes, std::span<const GroupTriangle> triangles);
[[nodiscard]] std::vector<DirectedEdge> boundary(std::span<const DirectedEdge> edges);  // of which

}  // namespace sublet::mesh
