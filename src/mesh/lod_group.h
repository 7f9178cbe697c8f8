// A group of meshlets, by numbers of its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/distance.h"
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

struct GroupVertex {
    std::uint32_t mesh = 0;
    std::uint32_t vertex = 0;  // of that mesh's VertexTable
};

// Vertices and positions of a group count from 0, so that what is known of each is an array: nothing is searched for.
struct IndexedGroup {
    std::vector<GroupVertex> vertices;       // ascending
    std::vector<std::uint32_t> position_of;  // of each vertex
    std::vector<std::uint32_t> positions;    // as GroupMeshes has them, ascending
    std::vector<Point> points;               // where each position lies
    std::vector<std::uint32_t> places;       // each position once, neighbours side by side
    std::vector<Triangle> triangles;         // of these vertices

    [[nodiscard]] GroupTriangle named(const Triangle& t) const {
        return {vertices[t[0]].mesh, {vertices[t[0]].vertex, vertices[t[1]].vertex, vertices[t[2]].vertex}};
    }
    // Of triangles of its vertices: their corners by positions.
    [[nodiscard]] std::vector<Triangle> faces(std::span<const Triangle> of) const;
};

// Makes one of sublets, each of which names its vertices once, whatever others do.
class GroupIndexer {
  public:
    // What comes next are triangles of a sublet, by its own vertices.
    void add_sublet(std::uint32_t mesh, std::span<const std::uint32_t> vertices,
                    std::span<const std::array<std::uint8_t, 3>> triangles);
    [[nodiscard]] IndexedGroup index(const GroupMeshes& meshes) &&;

  private:
    struct Use {
        std::uint64_t vertex;  // its mesh in the upper half
        std::uint32_t number;  // of this use
    };
    std::vector<Use> uses_;
    std::vector<Triangle> triangles_;  // by uses
};

// Where the corners of faces lie.
[[nodiscard]] std::vector<Corners> corners_of(std::span<const Point> points, std::span<const Triangle> faces);

// Without pairs of triangles that have the same corners, by positions, and face opposite ways: what thin parts come to.
// The boundary stays.
void drop_opposite_pairs(const IndexedGroup& group, std::vector<Triangle>& triangles);

using DirectedEdge = std::array<std::uint32_t, 2>;

// How often faces have each edge one way more than the other.
class EdgeBalance {
  public:
    EdgeBalance(std::size_t positions, std::span<const Triangle> faces);

    // The edges, either way round, that other faces have another number of times more one way than the other.
    [[nodiscard]] std::vector<DirectedEdge> different(std::span<const Triangle> faces) const;

  private:
    // Edges from their lower ends, in lists: few end at one position.
    struct Edge {
        std::uint32_t high = 0;
        std::uint32_t next = 0;
        int more = 0;
    };
    EdgeBalance() = default;
    void add(std::span<const Triangle> faces, int times);
    template <class Visit>
    void for_each_uneven(const Visit& visit) const;  // visit(its lower end, the edge)

    std::vector<std::uint32_t> first_;  // of each position
    std::vector<Edge> edges_;
};

// The directed edges, by positions, of which triangles have one way more often than the other, ascending; as often as
// that is so.
[[nodiscard]] std::vector<DirectedEdge> boundary(const GroupMeshes& meshes, std::span<const GroupTriangle> triangles);
[[nodiscard]] std::vector<DirectedEdge> boundary(std::span<const DirectedEdge> edges);  // of which

}  // namespace sublet::mesh
