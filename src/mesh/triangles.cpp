#include "mesh/triangles.h"

#include "mesh/first_equal.h"
#include "mesh/parallel.h"

namespace sublet::mesh {
namespace {

constexpr std::size_t kGrain = 16384;

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

// Rotated so that the least vertex comes first: equal exactly when vertices and winding are.
Triangle canonical(const Triangle& t) {
    if (t[0] <= t[1] && t[0] <= t[2]) return t;
    if (t[1] <= t[0] && t[1] <= t[2]) return {t[1], t[2], t[0]};
    return {t[2], t[0], t[1]};
}

}  // namespace

CleanTriangles clean_triangles(std::span<const std::uint32_t> indices, std::span<const std::array<float, 3>> positions,
                               const std::vector<std::uint32_t>& remap, const VertexTable& vertices, ThreadPool* pool) {
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
                degenerate[i] =
                    has_area<std::int64_t>(vertices.position(t[0]), vertices.position(t[1]), vertices.position(t[2]))
                        ? 0
                        : 1;
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
            const bool had_area = has_area<double>(positions[indices[3 * i]], positions[indices[3 * i + 1]],
                                                   positions[indices[3 * i + 2]]);
            result.dropped_by_grid += had_area ? 1 : 0;
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
