// Normals and tangents of meshes as glTF asks for them: of unit length, and flat normals where there are none.
#pragma once

#include "scene/import.h"

namespace sublet::scene::gltf {

// Gives every triangle the normal of its plane. The mesh has a vertex for every corner.
void make_flat_normals(SourceMesh& mesh);

// Gives every normal unit length, and one without direction that of a triangle with area that it belongs to. Whether
// there was one.
bool mend_normals(SourceMesh& mesh);

// The same of tangents, where one without direction becomes any that is perpendicular to its normal.
bool mend_tangents(SourceMesh& mesh);

}  // namespace sublet::scene::gltf
