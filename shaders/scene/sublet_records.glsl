// What the decode pass leaves of sublets. After scene/bindings.glsl.

#ifndef SUBLET_SUBLET_RECORDS_GLSL
#define SUBLET_SUBLET_RECORDS_GLSL

#include "scene/decode.glsl"

// Sublet-local vertex indices of triangle `index` of the sublet at a place.
uvec3 recorded_triangle(uint place, uint index) {
    return unpack_triangle(sublet_records[place].triangles[index / 2u] >> (16u * (index & 1u)));
}

// The first vertex of a sublet of a mesh within that; and its counts, as SubletRecord has both.
uvec2 sublet_record(uint mesh, uint sublet) {
    uint place = sublet_place(mesh, sublet);
    return uvec2(sublet_records[place].first_vertex, sublet_records[place].counts);
}

#endif
