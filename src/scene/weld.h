// Vertices made one, or one for each corner.
#pragma once

#include "scene/import.h"

namespace sublet::scene {

// Makes one vertex of those that are equal in every attribute, to the bit; drops those that no index names.
void weld(SourcePrimitive& primitive);

// Makes a vertex of its own for every corner of every triangle.
void unweld(SourcePrimitive& primitive);

}  // namespace sublet::scene
