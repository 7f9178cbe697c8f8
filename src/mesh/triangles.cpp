#include "mesh/triangles.h"

#include <algorithm>
#include <cmath>

#include "mesh/parallel.h"
#include "mesh/vec3.h"

namespace sublet::mesh {
namespace {

// Whether some morph target moves the corners differently.
bool moves_apart(const Triangle& t, const VertexTable& vertices) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
    return !vertices.morphs.moves_alike(vertices.morph_words(t[0]), vertices.morph_words(t[1])) ||
           !vertices.morphs.moves_alike(vertices.morph_words(t[0]), vertices.morph_words(t[2]));
}

// Rotated so that the least vertex comes first: equal exactly when vertices and winding are.
Triangle canonical(const Triangle& t) {
    if (t[0] <= t[1] && t[0] <= t[2]) return t;
    if (t[1] <= t[0] && t[1] <= t[2]) return {t[1], t[2], t[0]};
    return {t[2], t[0], t[1]};
}

// Sorts triangles by their vertices and makes one of those that are equal; returns how many went.
std::uint64_t sort_unique(std::vector<Triangle>& triangles, std::uint32_t vertex_count, ThreadPool* pool) {
    using Rest = std::array<std::uint32_t, 2>;
    std::vector<std::uint32_t> begin(std::size_t{vertex_count} + 2);  // of each first vertex, one further on
    for (const Triangle& t : triangles) ++begin[t[0] + 2];
    for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<Rest> rest(triangles.size());
    for (const Triangle& t : triangles) rest[begin[t[0] + 1]++] = {t[1], t[2]};
    std::vector<std::uint32_t> kept(vertex_count);
    for_ranges(pool, vertex_count, kGrain, [&](std::size_t first, std::size_t last) {
        for (std::size_t v = first; v < last; ++v) {
            const auto from = rest.begin() + begin[v];
            const auto to = rest.begin() + begin[v + 1];
            if (to - from > 1) std::sort(from, to);
            kept[v] = static_cast<std::uint32_t>(std::unique(from, to) - from);
        }
    });
    const std::size_t before = triangles.size();
    triangles.clear();
    for (std::uint32_t v = 0; v < vertex_count; ++v) {
        for (std::uint32_t i = 0; i < kept[v]; ++i) {
            const Rest& r = rest[begin[v] + i];
            triangles.push_back({v, r[0], r[1]});
        }
    }
    return before - triangles.size();
}

}  // namespace

// Exact in 64-bit integers: differences have 22 bits, their products 44.
bool has_grid_area(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
    std::array<std::int64_t, 3> u{};
    std::array<std::int64_t, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = std::int64_t{b[i]} - a[i];
        v[i] = std::int64_t{c[i]} - a[i];
    }
    return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

// Coordinates are at most 2^104: in doubles nothing overflows or vanishes.
bool is_higher_than(const std::array<float, 3>& a, const std::array<float, 3>& b, const std::array<float, 3>& c,
                    double height) {
    const Vec3 u = minus(to_double(b), to_double(a));
    const Vec3 v = minus(to_double(c), to_double(a));
    const Vec3 w = minus(v, u);
    const Vec3 area = cross(u, v);
    return dot(area, area) > height * height * std::max({dot(u, u), dot(v, v), dot(w, w)});
}

bool has_source_area(const std::array<float, 3>& a, const std::array<float, 3>& b, const std::array<float, 3>& c) {
    float largest = 0.0F;
    for (const auto& corner : {a, b, c}) {
        for (const float x : corner) largest = std::max(largest, std::abs(x));
    }
    const double step = static_cast<double>(std::nextafter(largest, INFINITY)) - static_cast<double>(largest);
    return is_higher_than(a, b, c, 2.0 * step);
}

CleanTriangles clean_triangles(std::span<const std::uint32_t> indices, std::span<const std::array<float, 3>> positions,
                               const std::vector<std::uint32_t>& remap, const VertexTable& vertices, ThreadPool* pool) {
    CleanTriangles result;
    const std::size_t count = indices.size() / 3;
    std::vector<Triangle>& triangles = result.triangles;
    triangles.resize(count);
    std::vector<std::uint8_t> degenerate(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Triangle t = canonical({remap[indices[3 * i]], remap[indices[3 * i + 1]], remap[indices[3 * i + 2]]});
            triangles[i] = t;
            const bool kept =
                has_grid_area(vertices.position(t[0]), vertices.position(t[1]), vertices.position(t[2])) ||
                moves_apart(t, vertices);
            degenerate[i] = kept ? 0 : 1;
        }
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (degenerate[i] == 0) {
            triangles[kept++] = triangles[i];
            continue;
        }
        ++result.dropped_degenerate;
        const bool had_area =
            has_source_area(positions[indices[3 * i]], positions[indices[3 * i + 1]], positions[indices[3 * i + 2]]);
        result.dropped_by_grid += had_area ? 1 : 0;
    }
    triangles.resize(kept);
    result.dropped_duplicate = sort_unique(triangles, vertices.count(), pool);
    return result;
}

}  // namespace sublet::mesh
