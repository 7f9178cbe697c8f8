// How much of the picture a group of meshlets covers.
#pragma once

#include <array>
#include <span>

#include "mesh/distance.h"

namespace sublet::mesh {

// Views from several directions, which no axis or diagonal is near to.
inline constexpr std::size_t kCoverageViews = 12;
using Coverage = std::array<double, kCoverageViews>;

// Sums of the triangles' areas as each view has them, whether they hide one another or not: cheap, and where they are
// kept so is what is covered, as a rule.
[[nodiscard]] Coverage projected_areas(std::span<const Corners> triangles);

// The areas that `triangles` cover, over those that `of` do, as each view has them, drawn in few pixels; `area` is the
// latter in square units.
struct CoverageRatio {
    Coverage ratio{};
    Coverage area{};
};
[[nodiscard]] CoverageRatio covered_ratio(std::span<const Corners> triangles, std::span<const Corners> of);

}  // namespace sublet::mesh
