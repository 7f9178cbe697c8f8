#include "mesh/distance.h"

#include <algorithm>
#include <limits>
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
    std::vector<Item> items;
    const auto center = [&](std::uint32_t t, std::size_t k) {
        return triangles_[t][0][k] + triangles_[t][1][k] + triangles_[t][2][k];
    };
    nodes_.reserve(triangles_.size() / 2 + 1);
    leaves_.reserve(triangles_.size());
    if (runs.empty()) {
        for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
            items.push_back({{center(t, 0), center(t, 1), center(t, 2)}, t});
        }
    }
    std::vector<std::uint32_t> begins(runs.begin(), runs.end());
    if (!begins.empty()) begins.push_back(static_cast<std::uint32_t>(triangles_.size()));
    for (std::uint32_t r = 0; r + 1 < begins.size(); ++r) {
        Item& item = items.emplace_back(Item{{}, r});
        for (std::uint32_t t = begins[r]; t < begins[r + 1]; ++t) {
            for (std::size_t k = 0; k < 3; ++k) item.center[k] += center(t, k);
        }
        for (float& x : item.center) x /= static_cast<float>(begins[r + 1] - begins[r]);
    }
    Box box{};
    root_ = split(items, begins, box);
}

std::uint32_t Surface::make_leaf(std::span<const Item> items) {
    const auto first = static_cast<std::uint32_t>(leaves_.size());
    for (const Item& item : items) leaves_.push_back(item.number);
    return kLeaf | first << kCountBits | static_cast<std::uint32_t>(items.size());
}

// Items are triangles, or where there are some, runs of them. Returns the child, and its box.
std::uint32_t Surface::split(std::span<Item> items, std::span<const std::uint32_t> runs, Box& box) {
    if (!runs.empty() && items.size() == 1) {
        std::vector<Item> own;
        for (std::uint32_t t = runs[items[0].number]; t < runs[items[0].number + 1]; ++t) {
            const auto& [a, b, c] = triangles_[t];
            own.push_back({{a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]}, t});
        }
        return split(own, {}, box);
    }
    if (runs.empty() && items.size() <= kLeafTriangles) {
        box.min = box.max = triangles_[items[0].number][0];
        for (const Item& item : items) {
            for (const Point& corner : triangles_[item.number]) {
                for (std::size_t k = 0; k < 3; ++k) {
                    box.min[k] = std::min(box.min[k], corner[k]);
                    box.max[k] = std::max(box.max[k], corner[k]);
                }
            }
        }
        return make_leaf(items);
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
    const auto add = [&](std::span<Item> part) {
        Box own{};
        node.child[child] = split(part, runs, own);
        for (std::size_t k = 0; k < 3; ++k) {
            node.min[k][child] = own.min[k];
            node.max[k][child] = own.max[k];
            box.min[k] = std::min(box.min[k], own.min[k]);
            box.max[k] = std::max(box.max[k], own.max[k]);
        }
        ++child;
    };
    const std::size_t half = halve(items);
    for (const std::span<Item> side : {items.first(half), items.subspan(half)}) {
        if (side.size() < 2 || (runs.empty() && side.size() <= kLeafTriangles)) {
            add(side);
            continue;
        }
        const std::size_t quarter = halve(side);
        add(side.first(quarter));
        add(side.subspan(quarter));
    }
    nodes_[at] = node;
    return at;
}

// At the middle of the longest side of the box around their centres. Returns how many the first half has.
std::size_t Surface::halve(std::span<Item> items) {
    Point least = items[0].center;
    Point most = least;
    for (const Item& item : items) {
        for (std::size_t k = 0; k < 3; ++k) {
            least[k] = std::min(least[k], item.center[k]);
            most[k] = std::max(most[k], item.center[k]);
        }
    }
    std::size_t axis = 0;
    for (std::size_t k = 1; k < 3; ++k) {
        if (most[k] - least[k] > most[axis] - least[axis]) axis = k;
    }
    const std::size_t half = items.size() / 2;
    std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(half), items.end(),
                     [axis](const Item& a, const Item& b) {
                         return a.center[axis] != b.center[axis] ? a.center[axis] < b.center[axis]
                                                                 : a.number < b.number;
                     });
    return half;
}

NearestTriangle Surface::nearest(const Point& point, std::uint32_t hint, float enough) const {
    NearestTriangle best{squared_distance(point, triangles_[hint]), hint};
    std::array<std::pair<float, std::uint32_t>, kMostDepth> stack;
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
        std::array<float, 4> bounds{};
        for (std::size_t k = 0; k < 3; ++k) {
            const float p = point[k];
            const float* min = node.min[k].data();
            const float* max = node.max[k].data();
            for (std::size_t i = 0; i < 4; ++i) {
                // Comparisons that compilers make vectors of.
                const float below_min = min[i] - p;
                const float above_max = p - max[i];
                float d = below_min > above_max ? below_min : above_max;
                d = d > 0.0F ? d : 0.0F;
                bounds[i] += d * d;
            }
        }
        // The nearest comes last, and is looked at next.
        const std::size_t below = depth;
        for (std::size_t i = 0; i < 4; ++i) {
            if (bounds[i] > best.squared) continue;
            std::size_t place = depth++;
            for (; place > below && stack[place - 1].first < bounds[i]; --place) stack[place] = stack[place - 1];
            stack[place] = {bounds[i], node.child[i]};
        }
    }
    return best;
}

}  // namespace sublet::mesh
