// One draw per instance: gl_InstanceIndex is the instance, gl_VertexIndex the decoded vertex.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene_bindings.glsl"
#include "decoded_bindings.glsl"
#include "geometry_decoded.glsl"
#include "backends/surface_out.glsl"

void main() {
    write_decoded(gl_InstanceIndex, gl_VertexIndex);
}
