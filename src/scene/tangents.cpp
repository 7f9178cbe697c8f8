#include "scene/tangents.h"

#include <utility>

#include "base/progress.h"
#include "mesh/tangents.h"
#include "scene/weld.h"

namespace sublet::scene {

bool add_tangents(SourceMesh& mesh, int uv_stream, ThreadPool* pool) {
    if (uv_stream < 0 || !mesh.tangents.empty()) return false;
    const auto& uv = uv_stream == 0 ? mesh.uv0 : mesh.uv1;
    if (uv.empty()) return false;
    Progress progress("tangents", mesh.indices.size() / 3, "triangles", mesh::kTangentSteps);
    mesh::TangentMesh made = mesh::make_tangents({mesh.positions, mesh.normals, uv, mesh.indices}, pool, &progress);
    take_vertices(mesh, made.sources);
    mesh.tangents = std::move(made.tangents);
    mesh.indices = std::move(made.indices);
    return true;
}

}  // namespace sublet::scene
