// One triangle per invocation: bit w of its verdict is primitive_visible() for winding w. Vertices go as lanes hand
// them to each other.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "cull/primitive_cull.glsl"

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
    vec2 windows[3];
    uint codes[3];
    for (uint corner = 0u; corner < 3u; ++corner) {
        uvec2 packed = pack_window(triangle.window[corner], (triangle.codes >> (8u * corner)) & 255u);
        windows[corner] = unpack_window(packed);
        codes[corner] = unpack_code(packed);
    }
    uint verdict = 0u;
    for (uint winding = 0u; winding < 3u; ++winding) {
        verdict |= primitive_visible(windows, codes, winding, viewport) ? 1u << winding : 0u;
    }
    verdicts[i] = verdict;
}
