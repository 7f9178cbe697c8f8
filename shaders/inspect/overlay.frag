// A pixel of a line: faint where the picture shows something nearer.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/inspect.h"
#include "scene/bindings.glsl"

layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(push_constant) uniform Push { OverlayConstants constants; };
layout(location = 0) flat in vec4 in_color;
layout(location = 1) flat in float in_hidden;
layout(location = 0) out vec4 out_color;

#include "shade/seen.glsl"

void main() {
    bool hidden = gl_FragCoord.z < depth_seen(ivec2(gl_FragCoord.xy));
    out_color = vec4(in_color.rgb, in_color.a * (hidden ? in_hidden : 1.0));
}
