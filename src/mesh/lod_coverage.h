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

// What triangles cover of a picture, each view's of few pixels.
class CoveredArea {
  public:
    explicit CoveredArea(std::span<const Corners> triangles);

    // What other triangles cover, over what these do, as each view has them.
    [[nodiscard]] Coverage ratio(std::span<const Corners> others) const;
    // What these cover, in square units.
    [[nodiscard]] const Coverage& area() const { return area_; }

  private:
    // Where a view's picture begins, pixels for a unit, and how many are covered.
    struct Picture {
        std::array<float, 2> begin{};
        float scale = 0.0F;
        double covered = 0.0;
    };
    std::array<Picture, kCoverageViews> pictures_{};
    Coverage area_{};
};

}  // namespace sublet::mesh
