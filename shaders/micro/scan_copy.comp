// A plain copy by 16-byte loads and stores, in the shape of a prefix sum's partitions: what a scan is measured against.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/scene.h"

layout(local_size_x = 256) in;
const uint kVectors = 4u;

layout(set = kPassSet, binding = kBindMicroInput, std430) readonly buffer Input { uvec4 source[]; };
layout(set = kPassSet, binding = kBindMicroOutput, std430) writeonly buffer Output { uvec4 target[]; };
layout(push_constant) uniform Push { uint vector_count; };

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    uint first = group * (gl_WorkGroupSize.x * kVectors) + gl_LocalInvocationIndex;
    for (uint k = 0u; k < kVectors; ++k) {
        uint i = first + k * gl_WorkGroupSize.x;
        if (i < vector_count) {
            target[i] = source[i];
        }
    }
}
