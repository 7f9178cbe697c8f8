// Vertices of the compact backend: the index says which surviving sublet, and which of its vertices.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene_bindings.glsl"
#include "decoded_bindings.glsl"
#include "mesh_bindings.glsl"
layout(set = 0, binding = 9, std430) readonly buffer Survivors { uvec2 survivors[]; };

layout(push_constant) uniform Constants {
    uint first_slot;  // of the round, in the list of its class, plus the class's base
};

#include "sublet_geometry.glsl"
#include "backends/surface_out.glsl"

void main() {
    uvec2 entry = survivors[first_slot + (gl_VertexIndex >> 5u)];
    uint lane = gl_VertexIndex & 31u;
    Sublet sublet = load_sublet(entry.x, entry.y);
#ifdef FETCHED
    write_decoded(sublet.instance, sublet_vertex(sublet, lane));
#else
    write_shaded(shade_vertex(sublet.instance, vertex_clip(sublet.instance, sublet_position(sublet, lane)),
                              sublet_words(sublet, lane)));
#endif
}
