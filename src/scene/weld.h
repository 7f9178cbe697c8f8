// Vertices made one, or one for each corner.
#pragma once

#include "scene/import.h"

namespace sublet::scene {

// Makes one vertex of those that are equal in every attribute, to the bit; drops those that no index names.
void weld(SourceMesh& mesh);

// Makes a vertex of its own for every corner of every triangle.
void unweld(SourceMesh& mesh);

}  // namespace sublet::scene
