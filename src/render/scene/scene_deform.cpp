#include "render/scene/scene_deform.h"

namespace sublet::render {

void add_deformed(DeformData& data, const DeformRoom& room, std::uint32_t instance, const PosedMesh& mesh,
                  const shared::MeshHeader& header) {
    const auto number = static_cast<std::uint32_t>(data.meshes.size());
    const auto [known, is_new] = data.known.try_emplace({mesh.mesh, mesh.first_joint}, number);
    data.placed.push_back({instance, known->second});
    if (!is_new) return;
    shared::DeformedMesh deformed{};
    deformed.mesh = room.meshes + number;
    deformed.first_vertex = shared::kNotCached;
    if (data.vertices + header.vertex_count <= room.vertices) {
        deformed.first_vertex = static_cast<std::uint32_t>(data.vertices);
        data.vertices += header.vertex_count;
    }
    deformed.first_sublet = static_cast<std::uint32_t>(room.sublets + data.sublets);
    deformed.first_meshlet = static_cast<std::uint32_t>(room.meshlets + data.meshlets);
    deformed.first_matrix = mesh.first_joint * shared::kSkinMatrixVectors;
    deformed.joint_count = mesh.joint_count;
    data.sublets += header.sublet_count;
    data.meshlets += header.meshlet_count;
    for (std::uint32_t m = 0; m < header.meshlet_count; ++m) data.tasks.push_back({number, m});
    data.meshes.push_back(deformed);
    data.headers.push_back(header);
    data.headers.back().reserved = number + 1;
}

}  // namespace sublet::render
