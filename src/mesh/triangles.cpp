#include "mesh/triangles.h"

#include <algorithm>

#include "mesh/parallel.h"

namespace sublet::mesh {
namespace {

constexpr std::size_t kGrain = 16384;

// Exact: differences have 17 bits, their products 34.
bool has_area(const VertexTable& vertices, const Triangle& triangle) {
    const std::array<std::int16_t, 3> a = vertices.position(triangle[0]);
    const std::array<std::int16_t, 3> b = vertices.position(triangle[1]);
    const std::array<std::int16_t, 3> c = vertices.position(triangle[2]);
    std::array<std::int64_t, 3> u{};
    std::array<std::int64_t, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    return u[1] * v[2] != u[2] * v[1] || u[2] * v[0] != u[0] * v[2] || u[0] * v[1] != u[1] * v[0];
}

// Rotated so that the least vertex comes first: equal exactly when vertices and winding are.
Triangle canonical(const Triangle& t) {
    if (t[0] <= t[1] && t[0] <= t[2]) return t;
    if (t[1] <= t[0] && t[1] <= t[2]) return {t[1], t[2], t[0]};
    return {t[2], t[0], t[1]};
}

// Flags every triangle that repeats an earlier one.
std::vector<std::uint8_t> find_duplicates(const std::vector<Triangle>& triangles, std::uint32_t vertex_count,
                                          ThreadPool* pool) {
    // Duplicates have the same least vertex: a counting sort by it makes them neighbours.
    std::vector<std::uint32_t> begin(std::size_t{vertex_count} + 1);
    for (const Triangle& t : triangles) ++begin[std::min({t[0], t[1], t[2]}) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::uint32_t> order(triangles.size());
    {
        std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
        for (std::uint32_t i = 0; i < triangles.size(); ++i) {
            const Triangle& t = triangles[i];
            order[next[std::min({t[0], t[1], t[2]})]++] = i;
        }
    }
    std::vector<std::uint8_t> duplicate(triangles.size());
    for_ranges(pool, vertex_count, kGrain, [&](std::size_t first, std::size_t last) {
        std::vector<std::pair<Triangle, std::uint32_t>> bucket;
        for (std::size_t vertex = first; vertex < last; ++vertex) {
            if (begin[vertex + 1] - begin[vertex] < 2) continue;
            bucket.clear();
            for (std::uint32_t i = begin[vertex]; i < begin[vertex + 1]; ++i) {
                bucket.emplace_back(canonical(triangles[order[i]]), order[i]);
            }
            // By vertices, then by age, so that the first stays.
            std::sort(bucket.begin(), bucket.end());
            for (std::size_t i = 1; i < bucket.size(); ++i) {
                if (bucket[i].first == bucket[i - 1].first) duplicate[bucket[i].second] = 1;
            }
        }
    });
    return duplicate;
}

}  // namespace

CleanTriangles clean_triangles(std::span<const std::uint32_t> indices, const std::vector<std::uint32_t>& remap,
                               const VertexTable& vertices, ThreadPool* pool) {
    CleanTriangles result;
    const std::size_t count = indices.size() / 3;
    std::vector<Triangle>& triangles = result.triangles;
    triangles.resize(count);
    std::vector<std::uint8_t> keep(count);
    for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Triangle t{remap[indices[3 * i]], remap[indices[3 * i + 1]], remap[indices[3 * i + 2]]};
            triangles[i] = t;
            keep[i] = t[0] != t[1] && t[1] != t[2] && t[2] != t[0] && has_area(vertices, t) ? 1 : 0;
        }
    });
    const auto compact = [&](std::uint8_t kept) {
        std::size_t out = 0;
        for (std::size_t i = 0; i < triangles.size(); ++i) {
            if (keep[i] == kept) triangles[out++] = triangles[i];
        }
        const std::size_t dropped = triangles.size() - out;
        triangles.resize(out);
        return dropped;
    };
    result.dropped_degenerate = compact(1);
    keep = find_duplicates(triangles, vertices.count(), pool);
    result.dropped_duplicate = compact(0);
    return result;
}

}  // namespace sublet::mesh
