// Runs the shared vertex function's unpacking over given integers.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "vertex.glsl"

layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Input { uvec4 words[]; };  // position (2), normal and tangent, uv
layout(set = 0, binding = 1, std430) writeonly buffer Output { vec4 values[]; };
layout(push_constant) uniform Constants {
    vec4 origin;  // xyz; w: position scale
    float uv_scale;
    uint count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        values[i * 3u] = vec4(object_position(words[i].xy, origin.xyz, origin.w), 0.0);
        values[i * 3u + 1u] = vec4(unpack_normal(words[i].z), 0.0);
        values[i * 3u + 2u] = vec4(unpack_uv(words[i].w, uv_scale), 0.0, 0.0);
    }
}
