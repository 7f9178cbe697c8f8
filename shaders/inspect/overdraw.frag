// Counts a triangle of a pixel, by additive blending. Depth is not tested; faces are, as the rasteriser does.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/winding.glsl"

layout(location = 0) flat in uint in_flags;
layout(location = 0) out float out_count;

void main() {
    uint winding = instance_winding(in_flags);
    if (winding != kClassDoubleSided && gl_FrontFacing != (winding == kClassCounterClockwise)) {
        discard;
    }
    out_count = 1.0;
}
