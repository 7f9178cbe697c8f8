// Triangles in spatial chunks, each clustered on its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/triangles.h"
#include "mesh/vertices.h"

namespace sublet::mesh {

// Triangles in an order in which each chunk is a run of them: `ends[i]` is where chunk i ends.
struct Chunks {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> ends;
};

// Halves the triangles at the median of the longest axis of their centroids until no part has more than `limit`.
// Depends on the triangles alone, not on the pool. Equal triangles stay in the order they come in.
[[nodiscard]] Chunks split_into_chunks(std::span<const Triangle> triangles, const VertexTable& vertices,
                                       std::uint32_t limit, ThreadPool* pool);

}  // namespace sublet::mesh
