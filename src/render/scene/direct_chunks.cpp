#include "render/scene/direct_chunks.h"

#include <algorithm>

#include "mesh/sizes.h"

namespace sublet::render {

void find_direct_chunks(GpuScene& out, const mesh::GeometryView& geometry) {
    out.meshlet_bound_data.assign(geometry.meshlet_bounds.begin(), geometry.meshlet_bounds.end());
    out.meshlet_triangles.reserve(geometry.meshlet_bounds.size());
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        const mesh::MeshView view = mesh::mesh_view(geometry, m);
        const shared::MeshHeader& mesh = *view.header;
        out.mesh_first_chunk.push_back(static_cast<std::uint32_t>(out.direct_chunks.size()));
        for (std::uint32_t meshlet = 0; meshlet < mesh.meshlet_count; ++meshlet) {
            const std::uint32_t sublet = meshlet * shared::kSubletsPerMeshlet;
            const std::uint32_t behind = sublet + shared::kSubletsPerMeshlet;
            const mesh::SubletPlace place = mesh::sublet_place(view, sublet);
            const std::uint32_t first = place.first_triangle;
            const std::uint32_t end =
                behind < mesh.sublet_count ? mesh::sublet_place(view, behind).first_triangle : mesh.triangle_count;
            if (meshlet % shared::kDirectChunkMeshlets == 0) {
                out.direct_chunks.push_back({.first_sublet = sublet,
                                             .first_triangle = (mesh.first_sublet + sublet) * shared::kSubletSize,
                                             .first_vertex = mesh.first_vertex + place.first_vertex});
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
