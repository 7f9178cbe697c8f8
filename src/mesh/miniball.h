// The smallest ball around points in three dimensions.
#pragma once

#include <array>
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

}  // namespace sublet::mesh
