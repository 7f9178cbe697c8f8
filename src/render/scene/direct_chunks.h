#pragma once

#include <vector>

#include "mesh/mesh.h"
#include "render/scene/gpu_scene.h"

namespace sublet::render {

// What direct draws of each mesh that is always there: chunks; the bounds and sizes of all meshlets; and where those of
// the former lie, the others being absent.
void find_direct_chunks(GpuScene& out, const mesh::GeometryView& geometry);

// What is there of a mesh, streamed or not, in chunks: meshlets that lie side by side are one.
[[nodiscard]] std::vector<DirectChunk> chunks_there(const GpuScene& scene, std::uint32_t mesh);

}  // namespace sublet::render
