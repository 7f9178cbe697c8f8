#include "mesh/miniball.h"

#include <cstddef>

#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// The points that define a ball: they lie on its surface.
struct Support {
    std::array<Vec3, 4> points{};
    std::size_t count = 0;
};

// The smallest ball with all of `support` on its surface, whose centre is in their affine hull; false when they are
// affinely dependent, or when the centre is outside their convex hull, so that fewer of them define a smaller ball
// around all.
bool circumscribe(const Support& support, Ball& ball) {
    // Centre = p0 + sum l_i e_i with e_i = p_i - p0 and |centre - p_i| = |centre - p0|: 2 <e_i, sum l_j e_j> = <e_i,
    // e_i>.
    const std::size_t n = support.count - 1;
    std::array<Vec3, 3> edges{};
    std::array<std::array<double, 4>, 3> rows{};
    for (std::size_t i = 0; i < n; ++i) edges[i] = minus(support.points[i + 1], support.points[0]);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) rows[i][j] = 2.0 * dot(edges[i], edges[j]);
        rows[i][n] = dot(edges[i], edges[i]);
    }
    // Gram matrices are positive semidefinite: elimination needs no pivoting.
    for (std::size_t i = 0; i < n; ++i) {
        if (!(rows[i][i] > 1e-9 * 2.0 * dot(edges[i], edges[i]))) return false;
        for (std::size_t k = i + 1; k < n; ++k) {
            const double factor = rows[k][i] / rows[i][i];
            for (std::size_t j = i; j <= n; ++j) rows[k][j] -= factor * rows[i][j];
        }
    }
    std::array<double, 3> weights{};
    double rest = 1.0;
    for (std::size_t i = n; i-- > 0;) {
        double value = rows[i][n];
        for (std::size_t j = i + 1; j < n; ++j) value -= rows[i][j] * weights[j];
        weights[i] = value / rows[i][i];
        if (weights[i] < 0.0) return false;
        rest -= weights[i];
    }
    if (rest < 0.0) return false;
    Vec3 offset{};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) offset[axis] += weights[i] * edges[i][axis];
    }
    for (std::size_t axis = 0; axis < 3; ++axis) ball.center[axis] = support.points[0][axis] + offset[axis];
    ball.radius_squared = dot(offset, offset);
    return true;
}

// The smallest ball around `support` and `extra`, which lies outside the ball of `support` and so on the surface of the
// new one: tries the subsets of the old support beside it, smallest first. Returns false when rounding leaves none.
bool add_to_support(Support& support, const Vec3& extra, Ball& ball) {
    static constexpr std::array<unsigned, 16> kBySize = {0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};
    for (const unsigned subset : kBySize) {
        if (subset >> support.count != 0 || subset == 15) continue;
        Support candidate;
        candidate.points[candidate.count++] = extra;
        for (std::size_t i = 0; i < support.count; ++i) {
            if ((subset >> i & 1U) != 0) candidate.points[candidate.count++] = support.points[i];
        }
        Ball candidate_ball;
        if (!circumscribe(candidate, candidate_ball)) continue;
        bool contains_all = true;
        for (std::size_t i = 0; i < support.count; ++i) {
            const Vec3 to_point = minus(support.points[i], candidate_ball.center);
            contains_all = contains_all && dot(to_point, to_point) <= candidate_ball.radius_squared * (1.0 + 1e-9);
        }
        if (!contains_all) continue;
        support = candidate;
        ball = candidate_ball;
        return true;
    }
    return false;
}

}  // namespace

FarPoint farthest_point(std::span<const std::array<float, 3>> points, const std::array<float, 3>& center) {
    float squared = -1.0F;
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float dx = points[i][0] - center[0];
        const float dy = points[i][1] - center[1];
        const float dz = points[i][2] - center[2];
        const float d = dx * dx + dy * dy + dz * dz;
        if (d > squared) {
            squared = d;
            farthest = i;
        }
    }
    return {points[farthest], squared};
}

namespace {

template <typename Farthest>
Ball grow_ball(const std::array<float, 3>& first, const Farthest& farthest) {
    Support support;
    support.points[0] = {first[0], first[1], first[2]};
    support.count = 1;
    Ball ball{support.points[0], 0.0};
    // Each round takes in the farthest point; the radius grows every time, so that no support comes twice. A handful of
    // rounds is the rule; the limit is for the sake of rounding.
    for (int round = 0; round < 100; ++round) {
        const FarPoint far = farthest({static_cast<float>(ball.center[0]), static_cast<float>(ball.center[1]),
                                       static_cast<float>(ball.center[2])});
        if (static_cast<double>(far.squared) <= ball.radius_squared * (1.0 + 2e-6)) break;
        const double before = ball.radius_squared;
        if (!add_to_support(support, {far.point[0], far.point[1], far.point[2]}, ball) ||
            ball.radius_squared <= before) {
            break;
        }
    }
    return ball;
}

}  // namespace

Ball smallest_ball(std::span<const std::array<float, 3>> points) {
    const auto farthest = [&](const std::array<float, 3>& center) { return farthest_point(points, center); };
    // Begun from the point farthest from any: it is on the surface more often than not.
    return grow_ball(farthest(points[0]).point, farthest);
}

Ball smallest_ball(const std::array<float, 3>& first,
                   const std::function<FarPoint(const std::array<float, 3>& center)>& farthest) {
    return grow_ball(first, farthest);
}

}  // namespace sublet::mesh
