// A wide-kernel pass as denoisers have them, for bench --micro tiling: every pixel averages texels far around it.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"

layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Push {
    uvec2 size;
    uint taps;
    uint group_tiling;
};

layout(set = kPassSet, binding = kBindMicroInput) uniform sampler2D source;
layout(set = kPassSet, binding = kBindMicroOffsets, std430) readonly buffer Offsets { ivec2 offsets[]; };
layout(set = kPassSet, binding = kBindMicroOutput, std430) writeonly buffer Result { float result[]; };

#include "thread_group_tiling.glsl"

void main() {
    uvec2 pixel = tiled_group_id(group_tiling) * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy;
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < taps; ++i) {
        sum += texelFetch(source, clamp(ivec2(pixel) + offsets[i], ivec2(0), ivec2(size) - 1), 0);
    }
    result[pixel.y * size.x + pixel.x] = dot(sum, vec4(1.0));
}
