#include "mesh/bounds.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <optional>
#include <vector>

#include "mesh/miniball.h"
#include "mesh/short_bounds.h"
#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// Rounding radii up by this much covers the rounding of the sphere itself and of a distance to its centre in float.
constexpr double kRadiusMargin = 1e-6;
// The same for cutoffs: normals and axis carry about 1e-7 of error, and floats that evaluate the test about as much.
constexpr double kCutoffMargin = 4e-6;

using Points = std::span<const std::array<float, 3>>;

// The sphere of a ball in grid units, its centre rounded to floats; the radius is left to be measured.
struct RoundedCenter {
    std::array<float, 3> center{};
    std::array<double, 3> steps{};  // of the grid
};

RoundedCenter round_center(const PositionGrid& grid, const Ball& ball) {
    const auto scale = static_cast<double>(grid.scale);
    RoundedCenter result;
    for (std::size_t i = 0; i < 3; ++i) {
        float& x = result.center[i];
        x = static_cast<float>(static_cast<double>(grid.origin[i]) + scale * ball.center[i]);
        if (std::abs(x) < FLT_MIN) x = 0.0F;  // as a GPU may read it
        result.steps[i] = (static_cast<double>(x) - static_cast<double>(grid.origin[i])) / scale;
    }
    return result;
}

double squared_radius(Points points, const std::array<double, 3>& center) {
    double worst = 0.0;
    for (const std::array<float, 3>& point : points) {
        double squared = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double d = static_cast<double>(point[i]) - center[i];
            squared += d * d;
        }
        worst = std::max(worst, squared);
    }
    return worst;
}

shared::vec4 make_sphere(const PositionGrid& grid, const RoundedCenter& center, double radius_squared) {
    const double radius = std::sqrt(radius_squared) * static_cast<double>(grid.scale) * (1.0 + kRadiusMargin);
    return {center.center[0], center.center[1], center.center[2], std::max(static_cast<float>(radius), FLT_MIN)};
}

// How far points reach from a centre in object space, as floats measure it.
double reach(const PositionGrid& grid, Points points, const shared::vec4& center) {
    const auto scale = static_cast<double>(grid.scale);
    const std::array<double, 3> steps{(static_cast<double>(center.x) - static_cast<double>(grid.origin[0])) / scale,
                                      (static_cast<double>(center.y) - static_cast<double>(grid.origin[1])) / scale,
                                      (static_cast<double>(center.z) - static_cast<double>(grid.origin[2])) / scale};
    return std::sqrt(squared_radius(points, steps)) * scale * (1.0 + kRadiusMargin);
}

// The axis of the narrowest cone around normals; none where that is about a hemisphere or more.
std::optional<std::array<float, 3>> cone_axis(std::span<const std::array<float, 3>> normals) {
    if (normals.empty()) return std::nullopt;
    // The cap of the unit sphere that the smallest ball around the normals cuts out is the smallest cap that holds
    // them, as long as it is less than a hemisphere.
    const Ball ball = smallest_ball(normals);
    const double length =
        std::sqrt(ball.center[0] * ball.center[0] + ball.center[1] * ball.center[1] + ball.center[2] * ball.center[2]);
    if (length < 0.01) return std::nullopt;
    return std::array<float, 3>{static_cast<float>(ball.center[0] / length),
                                static_cast<float>(ball.center[1] / length),
                                static_cast<float>(ball.center[2] / length)};
}

// The cutoff that a cone about an axis needs to hold normals; 1: none does.
double cone_cutoff(std::span<const std::array<float, 3>> normals, const shared::vec4& axis) {
    double sine_squared = 0.0;
    for (const std::array<float, 3>& n : normals) {
        if (n[0] * axis.x + n[1] * axis.y + n[2] * axis.z < 0.01F) return 1.0;
        // Sines by the cross product: by the cosine, narrow cones would lose half their digits.
        const double x = static_cast<double>(n[1]) * axis.z - static_cast<double>(n[2]) * axis.y;
        const double y = static_cast<double>(n[2]) * axis.x - static_cast<double>(n[0]) * axis.z;
        const double z = static_cast<double>(n[0]) * axis.y - static_cast<double>(n[1]) * axis.x;
        sine_squared = std::max(sine_squared, x * x + y * y + z * z);
    }
    return std::sqrt(sine_squared) + kCutoffMargin;
}

// Rounds the axis, and what is measured about it as it was rounded. `long_of`: what a short bound stands for.
template <typename Short, typename Lengthen>
Bound with_cone(Short bound, std::span<const std::array<float, 3>> normals, const Lengthen& long_of) {
    const auto axis = cone_axis(normals);
    round_axis(axis.value_or(std::array<float, 3>{}), bound);
    round_cutoff(axis ? cone_cutoff(normals, long_of(bound).cone) : 1.0, bound);
    return long_of(bound);
}

}  // namespace

shared::vec4 bound_mesh(const PositionGrid& grid, std::span<const Bound> sublets,
                        const std::function<Points(std::size_t)>& points_of) {
    // Sublets' spheres, in grid units, tell which of them can hold the farthest point.
    const float inverse = 1.0F / grid.scale;
    std::vector<std::array<float, 4>> spheres;
    spheres.reserve(sublets.size());
    for (const Bound& bound : sublets) {
        const shared::vec4& s = bound.sphere;
        spheres.push_back({(s.x - grid.origin[0]) * inverse, (s.y - grid.origin[1]) * inverse,
                           (s.z - grid.origin[2]) * inverse, s.w * inverse + 1.0F});
    }
    // Calls visit(s) for sublets that may reach further from `center` than `reach`, which it may raise.
    const auto for_far_sublets = [&](const std::array<float, 3>& center, const float& reach, const auto& visit) {
        for (std::size_t i = 0; i < spheres.size(); ++i) {
            const std::array<float, 4>& s = spheres[i];
            const float x = s[0] - center[0];
            const float y = s[1] - center[1];
            const float z = s[2] - center[2];
            const float needed = reach - s[3];
            if (needed <= 0.0F || x * x + y * y + z * z >= needed * needed * 0.9999F) visit(i);
        }
    };
    const Ball ball = smallest_ball(points_of(0)[0], [&](const std::array<float, 3>& center) {
        FarPoint best;
        float reach = 0.0F;
        for_far_sublets(center, reach, [&](std::size_t s) {
            const FarPoint far = farthest_point(points_of(s), center);
            if (far.squared <= best.squared) return;
            best = far;
            reach = std::sqrt(far.squared);
        });
        return best;
    });
    const RoundedCenter center = round_center(grid, ball);
    double radius_squared = 0.0;
    float reach = 0.0F;
    for_far_sublets(
        {static_cast<float>(center.steps[0]), static_cast<float>(center.steps[1]), static_cast<float>(center.steps[2])},
        reach, [&](std::size_t s) {
            radius_squared = std::max(radius_squared, squared_radius(points_of(s), center.steps));
            reach = static_cast<float>(std::sqrt(radius_squared));
        });
    return make_sphere(grid, center, radius_squared);
}

std::array<float, 3> decoded_grid_point(const PositionGrid& grid, const GridPoint& point) {
    if (grid.is_exact)
        return {static_cast<float>(point[0]), static_cast<float>(point[1]), static_cast<float>(point[2])};
    const std::array<float, 3> position = grid.dequantize(point);
    const double inverse = 1.0 / static_cast<double>(grid.scale);
    std::array<float, 3> steps{};
    for (std::size_t i = 0; i < 3; ++i) {
        steps[i] =
            static_cast<float>((static_cast<double>(position[i]) - static_cast<double>(grid.origin[i])) * inverse);
    }
    return steps;
}

bool triangle_normal(const std::array<float, 3>& a, const std::array<float, 3>& b, const std::array<float, 3>& c,
                     std::array<float, 3>& normal) {
    // Differences of grid points are integers of at most 22 bits: nothing here rounds before the square root.
    const Vec3 start = to_double(a);
    const auto [x, y, z] = cross(minus(to_double(b), start), minus(to_double(c), start));
    const double squared = x * x + y * y + z * z;
    if (squared == 0.0) return false;
    const double inverse = 1.0 / std::sqrt(squared);
    normal = {static_cast<float>(x * inverse), static_cast<float>(y * inverse), static_cast<float>(z * inverse)};
    return true;
}

Bound bound_meshlet(const PositionGrid& grid, int position_bits, Points points,
                    std::span<const std::array<float, 3>> normals) {
    const BoundGrid centers(grid, position_bits);
    const auto long_of = [&](const format::ShortMeshletBound& bound) { return lengthen(centers, bound); };
    format::ShortMeshletBound bound{};
    round_center(centers, smallest_ball(points).center, bound);
    round_radius(centers, reach(grid, points, long_of(bound).sphere), bound);
    return with_cone(bound, normals, long_of);
}

Bound bound_sublet(const PositionGrid& grid, int position_bits, const Bound& meshlet, Points points,
                   std::span<const std::array<float, 3>> normals) {
    const BoundGrid centers(grid, position_bits);
    const auto long_of = [&](const format::ShortSubletBound& bound) { return lengthen(meshlet, {}, bound); };
    format::ShortSubletBound bound{};
    round_center(centers, meshlet, smallest_ball(points).center, bound);
    double radius = reach(grid, points, long_of(bound).sphere);
    round_radius(meshlet, radius, bound);
    if (static_cast<double>(long_of(bound).sphere.w) < radius) {
        // Far from the origin floats may move the centre by more than the meshlet's size. About its own centre the
        // meshlet's radius is enough.
        bound = {};
        radius = reach(grid, points, long_of(bound).sphere);
        round_radius(meshlet, radius, bound);
    }
    return with_cone(bound, normals, long_of);
}

}  // namespace sublet::mesh
