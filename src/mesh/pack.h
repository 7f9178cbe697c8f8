// From clusters to the arrays of the format.
#pragma once

#include "mesh/cluster.h"
#include "mesh/encode.h"
#include "mesh/grid.h"
#include "mesh/vertices.h"

namespace sublet {
class Progress;
}

namespace sublet::mesh {

// Encodes one mesh: its header, bounds, stream headers and payload. Adds to `seconds` what packing and bounding took.
// `progress`, if any, advances by the triangles.
[[nodiscard]] Geometry pack_mesh(const Clusters& clusters, const VertexTable& vertices, std::uint32_t style,
                                 const PositionGrid& grid, const UvGrid& uv_grid, int position_bits,
                                 EncodeSeconds& seconds, ThreadPool* pool, Progress* progress = nullptr);

}  // namespace sublet::mesh
