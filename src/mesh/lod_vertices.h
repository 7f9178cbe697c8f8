// The vertices that levels of detail are made of, and the places that they lie at.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/cluster.h"
#include "mesh/distance.h"
#include "mesh/lod_group.h"
#include "mesh/vertices.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// Another place for what lies at a position.
struct MovedPosition {
    std::uint32_t position = 0;
    GridPoint to{};
};

// Where the positions of a group lie once `moved` (ascending) have moved.
[[nodiscard]] std::vector<Point> moved_points(const IndexedGroup& group, std::span<const MovedPosition> moved);

// The vertices of the meshes of a group. Vertices of all meshes at one place have one position.
class LodVertices {
  public:
    LodVertices(std::vector<VertexTable> tables, std::span<const Clusters> finest, ThreadPool* pool);

    [[nodiscard]] GroupMeshes meshes() const { return {tables_, positions_}; }
    [[nodiscard]] std::uint32_t position(std::uint32_t mesh, std::uint32_t vertex) const {
        return positions_[mesh][vertex];
    }
    [[nodiscard]] std::uint32_t position_count() const { return position_count_; }
    [[nodiscard]] Point point(std::uint32_t mesh, std::uint32_t vertex) const;
    // Where they lie once `moved` (ascending by positions) have moved.
    [[nodiscard]] std::vector<Corners> corners(std::span<const GroupTriangle> triangles,
                                               std::span<const MovedPosition> moved = {}) const;
    // A mesh's finest level lies within.
    struct Box {
        GridPoint min{}, max{};
    };
    [[nodiscard]] const Box& box(std::uint32_t mesh) const { return boxes_[mesh]; }

    // A position that none had yet.
    std::uint32_t add_position() { return position_count_++; }
    // A vertex at another place, with the attributes of `vertex`.
    std::uint32_t add_moved(std::uint32_t mesh, std::uint32_t vertex, const GridPoint& to, std::uint32_t position);

    [[nodiscard]] std::vector<VertexTable> take_tables() { return std::move(tables_); }

  private:
    std::vector<VertexTable> tables_;
    std::vector<std::vector<std::uint32_t>> positions_;  // of each mesh: of its vertices
    std::vector<Box> boxes_;
    std::uint32_t position_count_ = 0;
};

}  // namespace sublet::mesh
