// The smallest ball around points in three dimensions.
#pragma once

#include <array>
#include <functional>
#include <span>

namespace sublet::mesh {

struct Ball {
    std::array<double, 3> center{};
    double radius_squared = 0.0;
};

// The smallest ball around `points` (at least one), to within rounding: a point may lie outside by some 1e-6 of the
// radius, so a caller who needs containment measures the radius about the centre. Coordinates should be about 1 in
// size, or any within 1e+-15 of it.
[[nodiscard]] Ball smallest_ball(std::span<const std::array<float, 3>> points);

// A point and its squared distance from somewhere.
struct FarPoint {
    std::array<float, 3> point{};
    float squared = -1.0F;
};

// The same for points that only the caller knows: `first` is one of them, farthest(center) the one farthest from
// `center`.
[[nodiscard]] Ball smallest_ball(const std::array<float, 3>& first,
                                 const std::function<FarPoint(const std::array<float, 3>& center)>& farthest);

// The farthest of `points`.
[[nodiscard]] FarPoint farthest_point(std::span<const std::array<float, 3>> points, const std::array<float, 3>& center);

}  // namespace sublet::mesh
