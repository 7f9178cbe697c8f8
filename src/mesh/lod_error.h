// The error of what a group was simplified to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mesh/lod_coverage.h"
#include "mesh/lod_measure.h"
#include "mesh/lod_vertices.h"

namespace sublet::mesh {

// There are more samples for coarse levels, of which a picture may show one group alone.
inline constexpr std::uint32_t kCoarseLevel = 3;

// A group before it is simplified.
struct GroupBefore {
    IndexedGroup mesh;
    std::vector<Triangle> faces;              // its triangles, by positions
    std::vector<Sample> samples;              // of the finest surface, near it
    std::optional<CoveredArea> covered_area;  // where somebody asked for it
    // Sums of its meshlets' areas as each view has them, and what is covered over what the finest surface covers.
    Coverage projected{}, covered{};
    std::uint32_t level = 0;  // of its meshlets, at most
    float least = 0.0F;       // no error is less
    float radius = 0.0F;      // half of the longest side of its box
};

// Found when it is first asked for.
[[nodiscard]] CoveredArea& covered_area(GroupBefore& group);

// What a group was simplified to, as it lies.
struct GroupAfter {
    std::span<const Triangle> triangles;  // by the group's vertices
    IndexedFaces faces;                   // these, by its positions
};

struct MeasuredGroup {
    float error = 0.0F;
    Coverage covered{};                  // over what the finest surface covers
    std::vector<std::uint32_t> nearest;  // the triangle nearest to each sample
};

// Measures groups against the finest surface.
class LodError {
  public:
    // `runs`: where triangles begin that lie near one another.
    LodError(const LodVertices& vertices, const AttributeReader& attributes, std::span<const GroupTriangle> finest,
             std::span<const std::uint32_t> runs);

    [[nodiscard]] MeasuredGroup measure(GroupBefore& before, const GroupAfter& after) const;

    // A new position, near another.
    void add_position(std::uint32_t near) { a_triangle_.push_back(a_triangle_[near]); }

  private:
    const AttributeReader* attributes_;
    Surface finest_;
    std::vector<std::uint32_t> a_triangle_;  // of the finest, that has a corner at each position, or did
};

}  // namespace sublet::mesh
