// One vertex per invocation: its clip code and window position.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "cull/primitive_cull.glsl"

layout(local_size_x = 64) in;

struct Vertex {
    vec2 window;
    uint code;
    uint reserved;
};
layout(std430, set = 0, binding = 0) readonly buffer Clip {
    vec4 clip[];
};
layout(std430, set = 0, binding = 1) writeonly buffer Vertices {
    Vertex vertices[];
};
layout(std430, push_constant) uniform Push {
    CullViewport viewport;
    uint count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        vertices[i] = Vertex(window_position(clip[i], viewport), clip_code(clip[i]), 0u);
    }
}
