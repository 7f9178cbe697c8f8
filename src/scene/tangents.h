// Tangents for meshes that have none.
#pragma once

#include "scene/import.h"

namespace sublet::scene {

// Gives a mesh without tangents those that its material takes, made from the UV stream 0 or 1 that its normal map is
// laid out by, or its anisotropy (mesh/tangents.h). Vertices are split where tangents differ. Returns false, and does
// nothing, where the material takes none (`uv_stream` -1), there is no such stream, or no need.
bool add_tangents(SourceMesh& mesh, int uv_stream, ThreadPool* pool = nullptr);

}  // namespace sublet::scene
