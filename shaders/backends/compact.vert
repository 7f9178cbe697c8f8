// Vertices of the compact backend: the index says which surviving sublet, and which of its vertices. PULLED: indices
// are read here, and their triangle's id is handed on.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene_bindings.glsl"
#include "decoded_bindings.glsl"
#include "mesh_bindings.glsl"
layout(set = 0, binding = 9, std430) readonly buffer Survivors { uvec2 survivors[]; };
#ifdef PULLED
layout(set = 0, binding = 10, std430) readonly buffer Output { uint output_words[]; };
#include "visibility_id.glsl"
layout(location = 0) flat out uvec2 out_id;
#endif
#include "backends/compact_constants.glsl"

invariant gl_Position;

#include "sublet_geometry.glsl"

void main() {
#ifdef PULLED
    uint index = output_words[gl_VertexIndex];
    uint word = output_words[first_triangle + (gl_VertexIndex - first_index) / 3u];
    uvec2 seen = survivors[first_slot + word / kSubletSize];
    out_id = visibility_id(seen.x, seen.y * kSubletSize + word % kSubletSize);
#else
    uint index = gl_VertexIndex;
#endif
    uvec2 entry = survivors[first_slot + index / kSubletSize];
    Sublet sublet = load_sublet(entry.x, entry.y);
    gl_Position = vertex_clip(sublet.instance, sublet_position(sublet, index % kSubletSize));
}
