// Runs the shared vertex function's unpacking over given integers, and normals through given transforms.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "scene/vertex.glsl"

layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Input { uvec4 words[]; };  // position (2), normal and tangent, uv
layout(set = 0, binding = 1, std430) writeonly buffer Output { vec4 values[]; };
layout(set = 0, binding = 2, std430) readonly buffer Instances { Instance instances[]; };
layout(push_constant) uniform Constants {
    vec4 origin;  // xyz; w: position scale
    float uv_scale;
    uint count;
    uint instance_count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        vec3 normal = unpack_normal(words[i].z);
        values[i * 5u] = vec4(object_position(words[i].xy, origin.xyz, origin.w), 0.0);
        values[i * 5u + 1u] = vec4(unit_normal(normal), 0.0);
        values[i * 5u + 2u] = vec4(unpack_uv(words[i].w, uv_scale), 0.0, 0.0);
        uint instance = i % instance_count;
        uint flags = instances[instance].flags;
        values[i * 5u + 3u] = vec4(transform_normal(instances[instance].transform, normal, flags), 0.0);
        values[i * 5u + 4u] =
            vec4(transform_normal(instances[instance].transform, normal, flags & ~kInstanceSimilarity), 0.0);
    }
}
