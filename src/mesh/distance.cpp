#include "mesh/distance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// A leaf: this bit, where its triangles begin, and how many there are.
constexpr std::uint32_t kLeaf = 1U << 31U, kCountBits = 3, kCountMask = (1U << kCountBits) - 1U;
constexpr std::uint32_t kLeafTriangles = 4;
constexpr std::size_t kMostDepth = 96;  // of what waits: three children a level, of a tree of runs and one of triangles

// a + s * (b - a)
Point along(const Point& a, const Point& to_b, float s) {
    return {a[0] + s * to_b[0], a[1] + s * to_b[1], a[2] + s * to_b[2]};
}

// Greater for a greater float.
std::uint32_t ordered_bits(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x + 0.0F);  // both zeros are one
    return bits >> 31U != 0 ? ~bits : bits | 1U << 31U;
}

// Puts the keys, no two of which are equal, that are among the `count` least in front. Where a key goes is not a
// branch: half of them would be taken for others.
void put_least_first(std::span<std::uint64_t> keys, std::size_t count) {
    for (int round = 0; round < 64 && keys.size() > 4; ++round) {
        const std::uint64_t low = keys.front();
        std::uint64_t pivot = keys[keys.size() / 2];
        const std::uint64_t high = keys.back();
        pivot = std::max(std::min(low, high), std::min(std::max(low, high), pivot));
        std::size_t below = 0;
        for (std::uint64_t& key : keys) {
            const std::uint64_t own = key;
            key = keys[below];
            keys[below] = own;
            below += static_cast<std::size_t>(own < pivot);
        }
        if (below == count) return;
        if (below > count) {
            keys = keys.first(below);
        } else {
            keys = keys.subspan(below);
            count -= below;
        }
    }
    std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(count), keys.end());
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

}  // namespace

float squared_distance(const Point& p, const Corners& triangle) {
    const auto& [a, b, c] = triangle;
    const Point ab = minus(b, a);
    const Point ac = minus(c, a);
    const Point normal = cross(ab, ac);
    const float twice_area = dot(normal, normal);
    if (!(twice_area > 0.0F)) {
        return std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, c, a)});
    }
    const Point ap = minus(p, a);
    const float d1 = dot(ab, ap);
    const float d2 = dot(ac, ap);
    if (d1 <= 0.0F && d2 <= 0.0F) return dot(ap, ap);
    const Point bp = minus(p, b);
    const float d3 = dot(ab, bp);
    const float d4 = dot(ac, bp);
    if (d3 >= 0.0F && d4 <= d3) return dot(bp, bp);
    const Point cp = minus(p, c);
    const float d5 = dot(ab, cp);
    const float d6 = dot(ac, cp);
    if (d6 >= 0.0F && d5 <= d6) return dot(cp, cp);
    if (d1 >= 0.0F && d3 <= 0.0F && d1 * d4 - d3 * d2 <= 0.0F) return squared(p, along(a, ab, d1 / (d1 - d3)));
    if (d2 >= 0.0F && d6 <= 0.0F && d5 * d2 - d1 * d6 <= 0.0F) return squared(p, along(a, ac, d2 / (d2 - d6)));
    const float along_bc = d4 - d3;
    const float along_cb = d5 - d6;
    if (along_bc >= 0.0F && along_cb >= 0.0F && d3 * d6 - d5 * d4 <= 0.0F) {
        return squared(p, along(b, minus(c, b), along_bc / (along_bc + along_cb)));
    }
    const float above = dot(ap, normal);
    return above * above / twice_area;
}

Point weights_at(const Point& p, const Corners& triangle) {
    const auto& [a, b, c] = triangle;
    const Point ab = minus(b, a);
    const Point ac = minus(c, a);
    const Point ap = minus(p, a);
    const float d00 = dot(ab, ab);
    const float d01 = dot(ab, ac);
    const float d11 = dot(ac, ac);
    const float area = d00 * d11 - d01 * d01;
    if (!(area > 0.0F)) return {1.0F / 3.0F, 1.0F / 3.0F, 1.0F / 3.0F};
    const float v = std::max((d11 * dot(ap, ab) - d01 * dot(ap, ac)) / area, 0.0F);
    const float w = std::max((d00 * dot(ap, ac) - d01 * dot(ap, ab)) / area, 0.0F);
    const float u = std::max(1.0F - v - w, 0.0F);
    const float sum = u + v + w;
    return {u / sum, v / sum, w / sum};
}

Surface::Surface(std::span<const Corners> triangles, std::span<const std::uint32_t> runs)
    : triangles_(triangles.begin(), triangles.end()) {
    nodes_.reserve(triangles_.size() / 2 + 1);
    leaves_.reserve(triangles_.size());
    Items items;
    items.runs.assign(runs.begin(), runs.end());
    if (runs.empty()) {
        items.centers = centers(0, static_cast<std::uint32_t>(triangles_.size()));
    } else {
        items.runs.push_back(static_cast<std::uint32_t>(triangles_.size()));
    }
    for (std::uint32_t r = 0; r < runs.size(); ++r) {
        const std::vector<Point> own = centers(items.runs[r], items.runs[r + 1]);
        Point& sum = items.centers.emplace_back();
        for (const Point& center : own) {
            for (std::size_t k = 0; k < 3; ++k) sum[k] += center[k];
        }
        for (float& x : sum) x /= static_cast<float>(own.size());
    }
    std::vector<std::uint32_t> all(items.centers.size());
    std::iota(all.begin(), all.end(), 0U);
    Box box{};
    root_ = split(all, items, box);
}

std::vector<Point> Surface::centers(std::uint32_t begin, std::uint32_t end) const {
    std::vector<Point> out;
    out.reserve(end - begin);
    for (std::uint32_t t = begin; t < end; ++t) {
        const auto& [a, b, c] = triangles_[t];
        out.push_back({a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]});
    }
    return out;
}

std::uint32_t Surface::make_leaf(std::span<const std::uint32_t> numbers, std::uint32_t first) {
    const auto begin = static_cast<std::uint32_t>(leaves_.size());
    for (const std::uint32_t number : numbers) leaves_.push_back(first + number);
    return kLeaf | begin << kCountBits | static_cast<std::uint32_t>(numbers.size());
}

// Returns the child, and its box.
std::uint32_t Surface::split(std::span<std::uint32_t> numbers, Items& items, Box& box) {
    const bool has_runs = !items.runs.empty();
    if (has_runs && numbers.size() == 1) {
        Items own;
        own.first = items.runs[numbers[0]];
        own.centers = centers(own.first, items.runs[numbers[0] + 1]);
        std::vector<std::uint32_t> all(own.centers.size());
        std::iota(all.begin(), all.end(), 0U);
        return split(all, own, box);
    }
    if (!has_runs && numbers.size() <= kLeafTriangles) {
        box.min = box.max = triangles_[items.first + numbers[0]][0];
        for (const std::uint32_t number : numbers) {
            for (const Point& corner : triangles_[items.first + number]) {
                for (std::size_t k = 0; k < 3; ++k) {
                    box.min[k] = std::min(box.min[k], corner[k]);
                    box.max[k] = std::max(box.max[k], corner[k]);
                }
            }
        }
        return make_leaf(numbers, items.first);
    }
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    Node node;
    for (std::size_t k = 0; k < 3; ++k) {
        node.min[k].fill(std::numeric_limits<float>::infinity());
        node.max[k].fill(-std::numeric_limits<float>::infinity());
        box.min[k] = std::numeric_limits<float>::infinity();
        box.max[k] = -std::numeric_limits<float>::infinity();
    }
    std::size_t child = 0;
    const auto add = [&](std::span<std::uint32_t> part) {
        Box own{};
        node.child[child] = split(part, items, own);
        for (std::size_t k = 0; k < 3; ++k) {
            node.min[k][child] = own.min[k];
            node.max[k][child] = own.max[k];
            box.min[k] = std::min(box.min[k], own.min[k]);
            box.max[k] = std::max(box.max[k], own.max[k]);
        }
        ++child;
    };
    const std::size_t half = halve(numbers, items);
    for (const std::span<std::uint32_t> side : {numbers.first(half), numbers.subspan(half)}) {
        if (side.size() < 2 || (!has_runs && side.size() <= kLeafTriangles)) {
            add(side);
            continue;
        }
        const std::size_t quarter = halve(side, items);
        add(side.first(quarter));
        add(side.subspan(quarter));
    }
    nodes_[at] = node;
    return at;
}

// At the middle of the longest side of the box around their centres. Returns how many the first half has.
std::size_t Surface::halve(std::span<std::uint32_t> numbers, Items& items) {
    Point least = items.centers[numbers[0]];
    Point most = least;
    for (const std::uint32_t number : numbers) {
        for (std::size_t k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], items.centers[number][k]);
            most[k] = std::max(most[k], items.centers[number][k]);
        }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (most[k] - least[k] > most[axis] - least[axis]) axis = k;
    }
    // By integers of the same order: where they lie, and of those that lie alike their number.
    items.keys.clear();
    for (const std::uint32_t number : numbers) {
        items.keys.push_back(std::uint64_t{ordered_bits(items.centers[number][axis])} << 32U | number);
    }
    const std::size_t half = numbers.size() / 2;
    put_least_first(items.keys, half);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint32_t>(items.keys[i]);
    return half;
}

NearestTriangle Surface::nearest(const Point& point, std::uint32_t hint, float enough) const {
    NearestTriangle best{squared_distance(point, triangles_[hint]), hint};
    struct Waiting {
        float bound;
        std::uint32_t child;
    };
    std::array<Waiting, kMostDepth> stack;
    std::size_t depth = 0;
    stack[depth++] = {0.0F, root_};
    while (depth > 0 && best.squared > enough) {
        const auto [bound, at] = stack[--depth];
        if (bound > best.squared) continue;
        if ((at & kLeaf) != 0) {
            const std::uint32_t first = (at & ~kLeaf) >> kCountBits;
            for (std::uint32_t i = 0; i < (at & kCountMask); ++i) {
                const std::uint32_t triangle = leaves_[first + i];
                const float found = squared_distance(point, triangles_[triangle]);
                if (found < best.squared || (found == best.squared && triangle < best.triangle)) {
                    best = {found, triangle};
                }
            }
            continue;
        }
        const Node& node = nodes_[at];
        std::array<float, 4> bounds;
        for (std::size_t i = 0; i < 4; ++i) {
            bounds[i] = 0.0F;
            for (std::size_t k = 0; k < 3; ++k) {
                // One of them at most is above zero. (Without comparisons, compilers make vectors of the four.)
                const float below_min = node.min[k][i] - point[k];
                const float above_max = point[k] - node.max[k][i];
                const float d = 0.5F * ((below_min + std::abs(below_min)) + (above_max + std::abs(above_max)));
                bounds[i] += d * d;
            }
        }
        // The nearest comes last, and is looked at next.
        const std::size_t below = depth;
        for (std::size_t i = 0; i < 4; ++i) {
            if (bounds[i] > best.squared) continue;
            std::size_t place = depth++;
            for (; place > below && stack[place - 1].bound < bounds[i]; --place) stack[place] = stack[place - 1];
            stack[place] = {bounds[i], node.child[i]};
        }
    }
    return best;
}

}  // namespace sublet::mesh
