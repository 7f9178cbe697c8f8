// Runs at equal depth and adds up, per pixel, the primitives that hold the final depth and those of them that face
// away.
#version 460

layout(location = 0) flat in float in_away;
layout(location = 0) out float out_count;
layout(location = 1) out float out_away;

void main() {
    out_count = 1.0 / 255.0;
    out_away = in_away / 255.0;
}
