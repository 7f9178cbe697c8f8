// What the decode pass leaves of sublets. After scene/bindings.glsl.

#ifndef SUBLET_SUBLET_RECORDS_GLSL
#define SUBLET_SUBLET_RECORDS_GLSL

#include "scene/decode.glsl"

// Sublet-local vertex indices of triangle `index` of a sublet, which counts over the scene.
uvec3 recorded_triangle(uint sublet, uint index) {
    return unpack_triangle(sublet_records[sublet].triangles[index / 2u] >> (16u * (index & 1u)));
}

// The first vertex of a sublet of a mesh within that; and its counts, as SubletRecord has both.
uvec2 sublet_record(uint mesh, uint sublet) {
    uint number = meshes[mesh].first_sublet + sublet;
    return uvec2(sublet_records[number].first_vertex, sublet_records[number].counts);
}

#endif
