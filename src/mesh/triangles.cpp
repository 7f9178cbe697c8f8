#include "mesh/triangles.h"

#include <algorithm>

#include "mesh/parallel.h"

namespace sublet::mesh {
namespace {

// Of grid integers exact in 64-bit integers: differences have 17 bits, their products 34. Of floats in doubles.
template <typename Wide, typename T>
bool has_area(const std::array<T, 3>& a, const std::array<T, 3>& b, const std::array<T, 3>& c) {
    std::array<Wide, 3> u{};
    std::array<Wide, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = static_cast<Wide>(b[i]) - static_cast<Wide>(a[i]);
        v[i] = static_cast<Wide>(c[i]) - static_cast<Wide>(a[i]);
    }
    return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

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
                has_area<std::int64_t>(vertices.position(t[0]), vertices.position(t[1]), vertices.position(t[2])) ||
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
            has_area<double>(positions[indices[3 * i]], positions[indices[3 * i + 1]], positions[indices[3 * i + 2]]);
        result.dropped_by_grid += had_area ? 1 : 0;
    }
    triangles.resize(kept);
    result.dropped_duplicate = sort_unique(triangles, vertices.count(), pool);
    return result;
}

}  // namespace sublet::mesh
