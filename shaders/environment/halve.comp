// A level of a cube: each texel is the mean of four of the level before.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = kPassSet, binding = kBindCubeSource, rgba16f) uniform readonly image2DArray source;
layout(set = kPassSet, binding = kBindCubeTarget, rgba16f) uniform writeonly image2DArray target;
layout(push_constant) uniform Push { EnvironmentConstants constants; };

void main() {
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (any(greaterThanEqual(texel.xy, ivec2(constants.size)))) {
        return;
    }
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 4; ++i) {
        sum += imageLoad(source, ivec3(texel.xy * 2 + ivec2(i & 1, i >> 1), texel.z));
    }
    imageStore(target, texel, sum * 0.25);
}
