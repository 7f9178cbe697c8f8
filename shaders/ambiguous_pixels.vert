// Draws every triangle of an instance, not indexed, at the very vertices that the backends draw, and hands on whether
// it faces away before its vertices snap to subpixels.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindIndices, std430) readonly buffer Indices { uint indices[]; };

layout(push_constant) uniform Push { DirectConstants constants; };

#include "cull/cut.glsl"
#include "scene/geometry_decoded.glsl"
#include "scene/winding.glsl"

layout(location = 0) flat out float out_away;
// Of masked surfaces, which the rasteriser does not cull: the side that is drawn. Else both.
layout(location = 1) flat out uint out_winding;

invariant gl_Position;

void main() {
    uint corner = gl_VertexIndex % 3u;
    uint first = constants.first_index + gl_VertexIndex - corner;
    vec4 p[3];
    for (uint i = 0u; i < 3u; ++i) {
        p[i] = decoded_clip_position(gl_InstanceIndex, constants.first_vertex + indices[first + i]);
    }
    uint sublet = constants.first_sublet + gl_VertexIndex / (kSubletSize * 3u);
    bool drawn = !instance_invisible(gl_InstanceIndex) &&
                 meshlet_in_cut(gl_InstanceIndex, sublet / kSubletsPerMeshlet);
    gl_Position = drawn ? p[corner] : vec4(0.0, 0.0, 0.0, 1.0);

    // Twice the signed area times the three w (Olano and Greer 1997), by differences to lose few bits: negative for a
    // triangle that is counter-clockwise as seen, y being down. What the tolerance calls edge-on may have been culled
    // as well.
    vec3 a = p[0].xyw;
    vec3 b = p[1].xyw - a;
    vec3 c = p[2].xyw - a;
    float area = dot(a, cross(b, c));
    float tolerance = 1e-5 * length(a) * length(b) * length(c);
    uint flags = instances[gl_InstanceIndex].flags;
    uint winding = instance_winding(flags);
    bool away = winding == kClassCounterClockwise ? area > -tolerance : area < tolerance;
    out_away = winding != kClassDoubleSided && away ? 1.0 : 0.0;
    out_winding = is_alpha_tested(flags & kInstanceClassMask) ? winding : kClassDoubleSided;
}
