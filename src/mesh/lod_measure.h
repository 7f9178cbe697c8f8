// What is measured of surfaces: points of them, and what these have.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/distance.h"
#include "mesh/lod_group.h"
#include "mesh/vertices.h"

namespace sublet::mesh {

// Two sets of texture coordinates, and colours without alpha.
inline constexpr std::size_t kMeasuredAttributes = 3;

// Reads what is measured of vertices.
class AttributeReader {
  public:
    using Values = std::array<Point, kMeasuredAttributes>;

    explicit AttributeReader(std::span<const VertexTable> tables);

    [[nodiscard]] bool has(std::uint32_t mesh, std::size_t attribute) const { return words_[mesh][attribute] != kNone; }
    [[nodiscard]] bool any() const { return any_; }  // of some mesh
    // In units of their integers. At the point of a triangle of which its corners have these weights.
    [[nodiscard]] Values at(std::uint32_t mesh, const std::array<std::uint32_t, 3>& triangle,
                            const Point& weights) const;
    [[nodiscard]] bool has_normals(std::uint32_t mesh) const { return normal_words_[mesh] != kNone; }
    // Of unit length there, or nothing: the mesh has none.
    [[nodiscard]] Point normal_at(std::uint32_t mesh, const std::array<std::uint32_t, 3>& triangle,
                                  const Point& weights) const;

  private:
    static constexpr std::uint32_t kNone = ~0U;
    std::span<const VertexTable> tables_;
    bool any_ = false;
    std::vector<std::array<std::uint32_t, kMeasuredAttributes>> words_;  // of each mesh, where in a vertex
    std::vector<std::uint32_t> normal_words_;
};

// A point of the finest surface.
struct Sample {
    Point at{};
    float area = 0.0F;  // that it stands for
    std::uint32_t mesh = 0;
    Point normal{};  // of unit length, or nothing
    AttributeReader::Values values{};
    // How far apart on the surface a difference of 1 is, about; 0 where the attribute does not change.
    std::array<float, kMeasuredAttributes> distance_per_value{};
};

// A distance, and the area that is as far away.
struct MeasuredDistance {
    float distance = 0.0F;
    float area = 0.0F;
};

// The least distance that no more than `share` of the area is beyond; 0 of nothing. Reorders them.
[[nodiscard]] float distance_beyond(std::vector<MeasuredDistance>& distances, double share);

// Evenly spread numbers of triangles and places in them: the same for the same areas.
struct Place {
    std::uint32_t triangle = 0;
    Point weights{};  // of the corners
};
[[nodiscard]] std::vector<Place> spread_places(std::span<const Corners> triangles, std::size_t count);

[[nodiscard]] float area_of(const Corners& triangle);
[[nodiscard]] Point point_in(const Corners& triangle, const Point& weights);

// Points of triangles that lie at `surface`, at most `count`.
[[nodiscard]] std::vector<Sample> sample(std::span<const GroupTriangle> triangles, std::span<const Corners> surface,
                                         const AttributeReader& attributes, std::size_t count);

}  // namespace sublet::mesh
