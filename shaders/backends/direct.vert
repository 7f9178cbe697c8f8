// One draw per instance, or per chunk of a large one: gl_InstanceIndex is the instance.
// Indexed: gl_VertexIndex is the decoded vertex, and id.frag numbers the triangles. kPulled: it counts corners from the
// first index, which is read here.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
#include "view/visibility_id.glsl"
layout(set = kPassSet, binding = kBindIndices, std430) readonly buffer Indices { uint indices[]; };
layout(constant_id = kSpecPulled) const bool kPulled = false;

layout(push_constant) uniform Push { DirectConstants constants; };

#include "scene/geometry_decoded.glsl"
#include "backends/vertex_out.glsl"

void main() {
    uint vertex = gl_VertexIndex;
    uint triangle = 0u;
    if (kPulled) {
        vertex = constants.first_vertex + indices[constants.first_index + gl_VertexIndex];
        triangle = gl_VertexIndex / 3u;
    }
    write_vertex(gl_InstanceIndex, vertex, constants.first_sublet * kSubletSize + triangle);
    if (instance_invisible(gl_InstanceIndex)) {
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // as do all three: nothing is drawn
    }
}
