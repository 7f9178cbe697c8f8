// One triangle per invocation: bit w of its verdict is primitive_visible() for winding w.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "primitive_cull.glsl"

layout(local_size_x = 64) in;

struct Triangle {
    vec2 window[3];
    uint codes;  // 8 bits each
    uint reserved;
};
layout(std430, set = 0, binding = 0) readonly buffer Triangles {
    Triangle triangles[];
};
layout(std430, set = 0, binding = 1) writeonly buffer Verdicts {
    uint verdicts[];
};
layout(std430, push_constant) uniform Push {
    CullViewport viewport;
    uint count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    Triangle triangle = triangles[i];
    uint codes[3] = uint[3](triangle.codes & 255u, triangle.codes >> 8u & 255u, triangle.codes >> 16u & 255u);
    uint verdict = 0u;
    for (uint winding = 0u; winding < 3u; ++winding) {
        verdict |= primitive_visible(triangle.window, codes, winding, viewport) ? 1u << winding : 0u;
    }
    verdicts[i] = verdict;
}
