#include "mesh/triangles.h"

#include "mesh/first_equal.h"
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

}  // namespace

CleanTriangles clean_triangles(std::span<const std::uint32_t> indices, const std::vector<std::uint32_t>& remap,
                               const VertexTable& vertices, ThreadPool* pool) {
    CleanTriangles result;
    const std::size_t count = indices.size() / 3;
    std::vector<Triangle>& triangles = result.triangles;
    triangles.resize(count);
    std::vector<std::uint8_t> degenerate(count);
    std::vector<std::uint32_t> first;
    {
        std::vector<std::uint32_t> hashes(count);
        for_ranges(pool, count, kGrain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const Triangle t =
                    canonical({remap[indices[3 * i]], remap[indices[3 * i + 1]], remap[indices[3 * i + 2]]});
                triangles[i] = t;
                degenerate[i] = has_area(vertices, t) ? 0 : 1;
                hashes[i] = hash_words(t.data(), t.size());
            }
        });
        first = find_first_equal(
            hashes, [&](std::uint32_t a, std::uint32_t b) { return triangles[a] == triangles[b]; },
            [&](std::uint32_t i) { return degenerate[i] != 0; }, pool);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (degenerate[i] != 0) {
            ++result.dropped_degenerate;
        } else if (first[i] != i) {
            ++result.dropped_duplicate;
        } else {
            triangles[kept++] = triangles[i];
        }
    }
    triangles.resize(kept);
    return result;
}

}  // namespace sublet::mesh
