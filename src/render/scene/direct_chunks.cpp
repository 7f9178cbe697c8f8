#include "render/scene/direct_chunks.h"

#include <algorithm>

#include "mesh/sizes.h"

namespace sublet::render {

void find_direct_chunks(GpuScene& out, const mesh::GeometryView& geometry) {
    std::vector<shared::MeshletRange>& ranges = out.ranges;
    ranges.reserve(geometry.meshlet_bounds.size());
    out.meshlet_bound_data.assign(geometry.meshlet_bounds.begin(), geometry.meshlet_bounds.end());
    out.meshlet_triangles.reserve(geometry.meshlet_bounds.size());
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const mesh::MeshView view = mesh::mesh_view(geometry, m);
        const shared::MeshHeader& mesh = *view.header;
        out.mesh_first_chunk.push_back(static_cast<std::uint32_t>(out.direct_chunks.size()));
        bool begins = true;  // a chunk
        std::uint32_t vertex = out.residency.meshes[m].first_vertex;
        mesh::SubletPlace place;
        for (std::uint32_t meshlet = 0; meshlet < mesh.meshlet_count; ++meshlet) {
            const std::uint32_t sublet = meshlet * shared::kSubletsPerMeshlet;
            const std::uint32_t behind = sublet + shared::kSubletsPerMeshlet;
            const mesh::SubletPlace next = behind < mesh.sublet_count
                                               ? mesh::sublet_place(view, behind)
                                               : mesh::SubletPlace{mesh.vertex_count, mesh.triangle_count, 0, 0};
            const std::uint32_t triangles = next.first_triangle - place.first_triangle;
            const std::uint32_t vertices = next.first_vertex - place.first_vertex;
            place = next;
            out.meshlet_triangles.push_back(static_cast<std::uint16_t>(triangles));
            const std::uint32_t first_sublet = out.residency.first_sublet[mesh.first_meshlet + meshlet];
            if (first_sublet == shared::kAbsent) {
                ranges.push_back({0, 0, shared::kAbsent, 0});
                begins = true;
                continue;
            }
            if (begins || out.direct_chunks.back().meshlet_count() == shared::kDirectChunkMeshlets) {
                out.direct_chunks.push_back({.first_sublet = sublet,
                                             .first_triangle = first_sublet * shared::kSubletSize,
                                             .first_vertex = vertex});
                begins = false;
            }
            DirectChunk& chunk = out.direct_chunks.back();
            chunk.triangle_room +=
                std::min(mesh.sublet_count - sublet, shared::kSubletsPerMeshlet) * shared::kSubletSize;
            chunk.triangle_count += triangles;
            ranges.push_back({vertex, triangles, first_sublet, chunk.first_vertex});
            vertex += vertices;
        }
    }
    out.mesh_first_chunk.push_back(static_cast<std::uint32_t>(out.direct_chunks.size()));
}

std::vector<DirectChunk> chunks_there(const GpuScene& scene, std::uint32_t mesh) {
    const shared::MeshHeader& header = scene.mesh_headers[mesh];
    std::vector<DirectChunk> out;
    for (std::uint32_t meshlet = 0; meshlet < header.meshlet_count; ++meshlet) {
        const shared::MeshletRange& range = scene.ranges[header.first_meshlet + meshlet];
        if (range.first_sublet == shared::kAbsent) continue;
        const std::uint32_t sublet = meshlet * shared::kSubletsPerMeshlet;
        const std::uint32_t room =
            std::min(header.sublet_count - sublet, shared::kSubletsPerMeshlet) * shared::kSubletSize;
        if (out.empty() || out.back().first_vertex != range.chunk_vertex ||
            out.back().first_sublet + out.back().sublet_count() != sublet ||
            out.back().first_triangle + out.back().triangle_room != range.first_sublet * shared::kSubletSize) {
            out.push_back({.first_sublet = sublet,
                           .first_triangle = range.first_sublet * shared::kSubletSize,
                           .first_vertex = range.chunk_vertex});
        }
        out.back().triangle_room += room;
        out.back().triangle_count += range.triangle_count;
    }
    return out;
}

}  // namespace sublet::render
