// Vertices made one, or one for each corner.
#pragma once

#include "scene/import.h"

namespace sublet::scene {

// Calls visit(stream) for every attribute of the primitive.
template <typename Visit>
void for_each_stream(SourcePrimitive& primitive, Visit visit) {
    visit(primitive.positions);
    visit(primitive.normals);
    visit(primitive.tangents);
    visit(primitive.uv0);
    visit(primitive.uv1);
    visit(primitive.colors);
    visit(primitive.joints);
    visit(primitive.weights);
}

// Makes one vertex of those that are equal in every attribute, to the bit; drops those that no index names.
void weld(SourcePrimitive& primitive);

// Makes a vertex of its own for every corner of every triangle.
void unweld(SourcePrimitive& primitive);

}  // namespace sublet::scene
