// What the decode pass leaves of sublets. After scene/bindings.glsl.

#ifndef SUBLET_SUBLET_RECORDS_GLSL
#define SUBLET_SUBLET_RECORDS_GLSL

#include "scene/decode.glsl"

// Sublet-local vertex indices of triangle `index` of a sublet that is there.
uvec3 recorded_triangle(uint resident, uint index) {
    return unpack_triangle(sublet_records[resident].triangles[index / 2u] >> (16u * (index & 1u)));
}

// The first vertex of a sublet of a mesh within that; its counts, as SubletRecord has both; and resident_sublet().
uvec3 sublet_record(uint mesh, uint sublet) {
    uint resident = resident_sublet(mesh, sublet);
    return uvec3(sublet_records[resident].first_vertex, sublet_records[resident].counts, resident);
}

#endif
