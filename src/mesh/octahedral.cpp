#include "mesh/octahedral.h"

#include <algorithm>
#include <cmath>

namespace sublet::mesh {
namespace {

// The point of the octahedron |x| + |y| + |z| = size of a point of its unfolded square.
std::array<float, 3> unfold(float x, float y, float size) {
    const float z = size - std::abs(x) - std::abs(y);
    const float fold = std::max(-z, 0.0F);
    return {x + (x >= 0.0F ? -fold : fold), y + (y >= 0.0F ? -fold : fold), z};
}

}  // namespace

Octahedral encode_octahedral(const std::array<float, 3>& direction, std::int32_t max_x, std::int32_t max_y) {
    std::array<float, 3> d = direction;
    float sum = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
    if (!(sum > 1e-15F && sum < 1e15F)) {
        // Huge and tiny vectors are scaled by their greatest component first, so that they survive the sums.
        const float largest = std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
        if (!(largest > 0.0F)) return {};
        for (float& x : d) x /= largest;
        sum = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
    }
    float x = d[0] / sum;
    float y = d[1] / sum;
    if (d[2] < 0.0F) {
        const float folded_x = (1.0F - std::abs(y)) * (x >= 0.0F ? 1.0F : -1.0F);
        y = (1.0F - std::abs(x)) * (y >= 0.0F ? 1.0F : -1.0F);
        x = folded_x;
    }

    const auto scale_x = static_cast<float>(max_x);
    const auto scale_y = static_cast<float>(max_y);
    // Truncation and its neighbour away from zero are the two roundings: the square is symmetric about its axes.
    const auto low_x = static_cast<std::int32_t>(x * scale_x);
    const auto low_y = static_cast<std::int32_t>(y * scale_y);
    const std::int32_t step_x = x < 0.0F ? -1 : 1;
    const std::int32_t step_y = y < 0.0F ? -1 : 1;
    Octahedral best{low_x, low_y};
    float best_dot_squared = -1.0F;
    float best_length_squared = 1.0F;
    for (std::int32_t i = 0; i < 4; ++i) {
        const Octahedral candidate{std::clamp(low_x + (i & 1) * step_x, -max_x, max_x),
                                   std::clamp(low_y + (i >> 1) * step_y, -max_y, max_y)};
        // On an octahedron of max_x * max_y, where all is integers.
        const std::array<float, 3> v = unfold(static_cast<float>(candidate.x) * scale_y,
                                              static_cast<float>(candidate.y) * scale_x, scale_x * scale_y);
        const float dot = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
        // The squares of the cosines order candidates as the cosines do: dots are positive so near to the direction.
        const float dot_squared = dot * std::abs(dot);
        const float length_squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (dot_squared * best_length_squared > best_dot_squared * length_squared) {
            best_dot_squared = dot_squared;
            best_length_squared = length_squared;
            best = candidate;
        }
    }
    // Along the border of the square two points fold to one direction: one of them is taken, so that what was decoded
    // encodes to itself.
    if (std::abs(best.y) == max_y) best.x = std::abs(best.x);
    if (std::abs(best.x) == max_x) best.y = std::abs(best.y);
    return best;
}

std::array<float, 3> decode_octahedral(const Octahedral& value, std::int32_t max_x, std::int32_t max_y) {
    const std::array<float, 3> v =
        unfold(std::max(static_cast<float>(value.x) / static_cast<float>(max_x), -1.0F),
               std::max(static_cast<float>(value.y) / static_cast<float>(max_y), -1.0F), 1.0F);
    const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return {v[0] / length, v[1] / length, v[2] / length};
}

}  // namespace sublet::mesh
