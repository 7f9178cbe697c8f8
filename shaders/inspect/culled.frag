// A triangle that culling rejected, in the colour of the test that did, shaded by its own normal.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/view_colors.h"
#include "scene/bindings.glsl"
#include "shade/false_color.glsl"

layout(location = 0) flat in uint in_flags;
layout(location = 1) flat in uint in_verdict;
layout(location = 2) in vec3 in_position;
layout(location = 0) out vec4 out_color;

void main() {
    vec3 normal = cross(dFdx(in_position), dFdy(in_position));
    float squared = dot(normal, normal);
    // Either face: most of what cones reject faces away.
    float light = squared > 0.0 ? abs(dot(normal * inversesqrt(squared), frame.sun_direction.xyz)) : 1.0;
    out_color = vec4(named_color(kVerdictColors[in_verdict]) * (0.55 + 0.45 * light), 1.0);
}
