#pragma once

#include "mesh/mesh.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// What direct draws of each mesh: chunks, and the sizes of the meshlets that they consist of.
void find_direct_chunks(GpuScene& out, const mesh::GeometryView& geometry);

}  // namespace sublet::render
