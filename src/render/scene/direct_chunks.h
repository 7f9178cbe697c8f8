#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// What direct draws of each mesh, of what is there (GpuScene::residency): chunks, and the sizes of the meshlets that
// they consist of. Returns where all meshlets lie.
[[nodiscard]] std::vector<shared::MeshletRange> find_direct_chunks(GpuScene& out, const mesh::GeometryView& geometry);

}  // namespace sublet::render
