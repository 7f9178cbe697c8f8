// How much of the picture a group of meshlets covers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "mesh/distance.h"

namespace sublet::mesh {

// Views from several directions, which no axis or diagonal is near to.
inline constexpr std::size_t kCoverageViews = 12;
using Coverage = std::array<double, kCoverageViews>;

// Sums of the triangles' areas as each view has them, whether they hide one another or not: cheap, and where they are
// kept so is what is covered, as a rule.
[[nodiscard]] Coverage projected_areas(std::span<const Corners> triangles);

// What triangles cover of a picture of few pixels, in views that are asked for. The triangles outlive it.
class CoveredArea {
  public:
    explicit CoveredArea(std::span<const Corners> triangles) : triangles_(triangles) {}

    // What other triangles cover, over what these do: in a view, and in all.
    [[nodiscard]] double ratio(std::size_t view, std::span<const Corners> others);
    [[nodiscard]] Coverage ratio(std::span<const Corners> others);
    // What these cover in a view, in square units.
    [[nodiscard]] double area(std::size_t view);

  private:
    // Where a view's picture begins, pixels for a unit, and how many are covered.
    struct Picture {
        std::array<float, 2> begin{};
        float scale = 0.0F;
        double covered = 0.0;
    };
    const Picture& picture(std::size_t view);

    std::span<const Corners> triangles_;
    std::array<std::optional<Picture>, kCoverageViews> pictures_{};
};

}  // namespace sublet::mesh
