// How much of the picture a group of meshlets covers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mesh/distance.h"
#include "mesh/triangles.h"

namespace sublet::mesh {

// Views from several directions, which no axis or diagonal is near to.
inline constexpr std::size_t kCoverageViews = 12;
using Coverage = std::array<double, kCoverageViews>;

// Sums of the triangles' areas as each view has them, whether they hide one another or not: cheap, and where they are
// kept so is what is covered, as a rule.
[[nodiscard]] Coverage projected_areas(std::span<const Corners> triangles);

// Faces of points that they share.
struct IndexedFaces {
    std::span<const Point> points;
    std::span<const Triangle> faces;
};

// What faces cover of a picture of few pixels, in views that are asked for. They outlive it.
class CoveredArea {
  public:
    explicit CoveredArea(const IndexedFaces& faces) : faces_(faces) {}

    // What other faces cover, over what these do: in a view, and in all.
    [[nodiscard]] double ratio(std::size_t view, const IndexedFaces& others);
    [[nodiscard]] Coverage ratio(const IndexedFaces& others);
    // What these cover in a view, in square units.
    [[nodiscard]] double area(std::size_t view);

  private:
    // Where a view's picture begins, pixels for a unit, and how many are covered.
    struct Picture {
        std::array<float, 2> begin{};
        float scale = 0.0F;
        double covered = 0.0;
    };
    // Along one side of a picture: where points are, in pixels, and the first pixel with its centre there or beyond.
    struct Side {
        std::vector<float> at;
        std::vector<std::int32_t> pixel;
    };
    const Picture& picture(std::size_t view);
    double covered(const IndexedFaces& faces, std::size_t view, const Picture& picture);

    IndexedFaces faces_;
    std::array<std::optional<Picture>, kCoverageViews> pictures_{};
    // Of what is drawn now.
    Side x_, y_;
    std::vector<std::uint32_t> drawn_;  // numbers of faces
};

}  // namespace sublet::mesh
