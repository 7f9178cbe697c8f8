#include "mesh/distance.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

constexpr std::uint32_t kLeafTriangles = 4;
constexpr std::size_t kMostDepth = 64;

// a + s * (b - a)
Point along(const Point& a, const Point& to_b, float s) {
    return {a[0] + s * to_b[0], a[1] + s * to_b[1], a[2] + s * to_b[2]};
}

float squared(const Point& a, const Point& b) {
    const Point d = minus(a, b);
    return dot(d, d);
}

float squared_to_segment(const Point& p, const Point& a, const Point& b) {
    const Point ab = minus(b, a);
    const float length = dot(ab, ab);
    const float t = length > 0.0F ? std::clamp(dot(minus(p, a), ab) / length, 0.0F, 1.0F) : 0.0F;
    return squared(p, along(a, ab, t));
}

float squared_to_box(const Point& p, const Point& min, const Point& max) {
    float sum = 0.0F;
    for (std::size_t k = 0; k < 3; ++k) {
        const float d = std::max({min[k] - p[k], 0.0F, p[k] - max[k]});
        sum += d * d;
    }
    return sum;
}

}  // namespace

float squared_distance(const Point& p, const std::array<Point, 3>& triangle) {
    const auto& [a, b, c] = triangle;
    const Point ab = minus(b, a);
    const Point ac = minus(c, a);
    const Point ap = minus(p, a);
    const float d00 = dot(ab, ab);
    const float d01 = dot(ab, ac);
    const float d11 = dot(ac, ac);
    const float d20 = dot(ap, ab);
    const float d21 = dot(ap, ac);
    const float area = d00 * d11 - d01 * d01;
    const float v = d11 * d20 - d01 * d21;
    const float w = d00 * d21 - d01 * d20;
    if (area > 0.0F && v >= 0.0F && w >= 0.0F && v + w <= area) {  // above its inside
        const Point on{a[0] + (v * ab[0] + w * ac[0]) / area, a[1] + (v * ab[1] + w * ac[1]) / area,
                       a[2] + (v * ab[2] + w * ac[2]) / area};
        return squared(p, on);
    }
    return std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, c, a)});
}

Surface::Surface(std::vector<std::array<Point, 3>> triangles)
    : triangles_(std::move(triangles)), order_(triangles_.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    nodes_.reserve(triangles_.size());
    nodes_.emplace_back();
    split(0, 0, static_cast<std::uint32_t>(order_.size()));
}

void Surface::split(std::uint32_t node, std::uint32_t first, std::uint32_t count) {
    Node made;
    Point least;  // of the triangles' centres, three times them
    Point most;
    made.min = made.max = triangles_[order_[first]][0];
    const auto center = [&](std::uint32_t triangle, std::size_t k) {
        const auto& t = triangles_[triangle];
        return t[0][k] + t[1][k] + t[2][k];
    };
    for (std::size_t k = 0; k < 3; ++k) least[k] = most[k] = center(order_[first], k);
    for (std::uint32_t i = first; i < first + count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            for (const Point& corner : triangles_[order_[i]]) {
                made.min[k] = std::min(made.min[k], corner[k]);
                made.max[k] = std::max(made.max[k], corner[k]);
            }
            least[k] = std::min(least[k], center(order_[i], k));
            most[k] = std::max(most[k], center(order_[i], k));
        }
    }
    if (count <= kLeafTriangles) {
        made.first = first;
        made.count = count;
        nodes_[node] = made;
        return;
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (most[k] - least[k] > most[axis] - least[axis]) axis = k;
    }
    const std::uint32_t half = count / 2;
    const auto begin = order_.begin() + first;
    std::nth_element(begin, begin + half, begin + count, [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(center(a, axis), a) < std::pair(center(b, axis), b);
    });
    made.first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[node] = made;
    nodes_.resize(nodes_.size() + 2);
    split(made.first, first, half);
    split(made.first + 1, first + half, count - half);
}

NearestTriangle Surface::nearest(const Point& point) const {
    NearestTriangle best{std::numeric_limits<float>::infinity(), 0};
    std::array<std::pair<float, std::uint32_t>, kMostDepth> stack;
    std::size_t depth = 0;
    stack[depth++] = {0.0F, 0};
    while (depth > 0) {
        const auto [bound, at] = stack[--depth];
        if (bound > best.squared) continue;
        const Node& node = nodes_[at];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t triangle = order_[node.first + i];
            const float found = squared_distance(point, triangles_[triangle]);
            if (found < best.squared || (found == best.squared && triangle < best.triangle)) best = {found, triangle};
        }
        if (node.count != 0) continue;
        std::pair near{squared_to_box(point, nodes_[node.first].min, nodes_[node.first].max), node.first};
        std::pair far{squared_to_box(point, nodes_[node.first + 1].min, nodes_[node.first + 1].max), node.first + 1};
        if (far < near) std::swap(near, far);
        stack[depth++] = far;
        stack[depth++] = near;
    }
    return best;
}

}  // namespace sublet::mesh
