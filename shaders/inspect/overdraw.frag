// Counts a triangle of a pixel, by additive blending. Depth is not tested; faces are, as the rasteriser does.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/scene.h"

layout(location = 0) flat in uint in_flags;
layout(location = 0) out float out_count;

void main() {
    uint draw_class = in_flags & kInstanceClassMask;
    if (draw_class != kClassDoubleSided && gl_FrontFacing != (draw_class == kClassCounterClockwise)) {
        discard;
    }
    out_count = 1.0;
}
