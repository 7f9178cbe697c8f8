// One sublet, behind the same functions whether its vertices are read encoded or decoded; triangles always are encoded.
// After scene/bindings.glsl.

#include "scene/decode.glsl"
#include "scene/geometry_decoded.glsl"
#include "scene/geometry_encoded.glsl"

layout(constant_id = kSpecEncoded) const bool kEncoded = true;

struct Sublet {
    uint instance;
    uint mesh;
    uint first_stream;
    uint triangle_count;
    uint vertex_count;
    StreamHeader primitives;
};

// `primitives`: its first stream header; one of zeros is that of a sublet without triangles.
Sublet make_sublet(uint instance, uint mesh, uint first_stream, StreamHeader primitives) {
    return Sublet(instance, mesh, first_stream, primitives.bits & 0xffu, (primitives.bits >> 8u) & 0xffu, primitives);
}

// `sublet` counts within the instance's mesh.
Sublet load_sublet(uint instance, uint sublet) {
    uint mesh = instances[instance].mesh;
    uint first_stream = meshes[mesh].first_stream + sublet * meshes[mesh].stream_count;
    return make_sublet(instance, mesh, first_stream, streams[first_stream]);
}

Sublet no_sublet() {
    return make_sublet(0u, 0u, 0u, StreamHeader(uint[2](0u, 0u), 0u, 0u));
}

// Sublet-local vertex indices of triangle `index` (< triangle_count).
uvec3 sublet_triangle(Sublet s, uint index) {
    return decode_triangle(s.primitives, meshes[s.mesh].payload_offset, index);
}

// The scene-wide decoded vertex of a sublet-local one.
uint sublet_vertex(Sublet s, uint lane) {
    return meshes[s.mesh].first_vertex + s.primitives.base_value[0] + lane;
}

// A vertex's place on its mesh's grid.
uvec2 sublet_grid_position(Sublet s, uint lane) {
    return kEncoded ? encoded_position(s.mesh, s.first_stream, lane) : positions[sublet_vertex(s, lane)];
}

// A vertex in the instance's space, and where it is seen.
vec3 sublet_position(Sublet s, uint lane) {
    return vertex_position(s.mesh, s.primitives.base_value[0] + lane, sublet_grid_position(s, lane));
}
vec4 sublet_clip(Sublet s, uint lane) {
    return vertex_clip(s.instance, s.mesh, s.primitives.base_value[0] + lane, sublet_grid_position(s, lane));
}
