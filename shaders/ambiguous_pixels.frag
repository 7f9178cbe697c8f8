// Runs at equal depth and adds up, per pixel, the primitives that hold the final depth and those of them that face
// away. Alpha masks are not asked: a triangle whose mask leaves the pixel out counts too.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/scene.h"

layout(location = 0) flat in float in_away;
layout(location = 1) flat in uint in_winding;
layout(location = 0) out float out_count;
layout(location = 1) out float out_away;

void main() {
    if (in_winding != kClassDoubleSided && gl_FrontFacing != (in_winding == kClassCounterClockwise)) {
        discard;
    }
    out_count = 1.0 / 255.0;
    out_away = in_away / 255.0;
}
