#include "render/scene/direct_chunks.h"

#include <algorithm>

namespace sublet::render {

void find_direct_chunks(GpuScene& out, const mesh::GeometryView& geometry) {
    out.meshlet_bound_data.assign(geometry.meshlet_bounds.begin(), geometry.meshlet_bounds.end());
    out.meshlet_triangles.reserve(geometry.meshlet_bounds.size());
    for (const shared::MeshHeader& mesh : geometry.meshes) {
        out.mesh_first_chunk.push_back(static_cast<std::uint32_t>(out.direct_chunks.size()));
        const auto stream_of = [&](std::uint32_t sublet) -> const shared::StreamHeader& {
            return geometry.streams[mesh.first_stream + std::size_t{sublet} * mesh.stream_count];
        };
        for (std::uint32_t meshlet = 0; meshlet < mesh.meshlet_count; ++meshlet) {
            const std::uint32_t sublet = meshlet * shared::kSubletsPerMeshlet;
            const std::uint32_t behind = sublet + shared::kSubletsPerMeshlet;
            const std::uint32_t first = stream_of(sublet).base_value[1];
            const std::uint32_t end =
                behind < mesh.sublet_count ? stream_of(behind).base_value[1] : mesh.triangle_count;
            if (meshlet % shared::kDirectChunkMeshlets == 0) {
                out.direct_chunks.push_back({.first_sublet = sublet,
                                             .first_triangle = (mesh.first_sublet + sublet) * shared::kSubletSize,
                                             .first_vertex = mesh.first_vertex + stream_of(sublet).base_value[0]});
            }
            DirectChunk& chunk = out.direct_chunks.back();
            chunk.triangle_room +=
                std::min(mesh.sublet_count - sublet, shared::kSubletsPerMeshlet) * shared::kSubletSize;
            chunk.triangle_count += end - first;
            out.meshlet_triangles.push_back(static_cast<std::uint16_t>(end - first));
        }
    }
    out.mesh_first_chunk.push_back(static_cast<std::uint32_t>(out.direct_chunks.size()));
}

}  // namespace sublet::render
