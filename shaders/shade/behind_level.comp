// A level of the light that is seen through surfaces (shade/transmission.glsl): half as fine as the one before, by a
// filter of 4 x 4 texels with weights 1, 3, 3, 1, so that no squares show where a level is enlarged. One lane a texel.
//
// Reads: the level before. Writes: the level.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = kPassSet, binding = kBindBehind) uniform sampler2D finer;  // linear filter, clamped to its edge
layout(set = kPassSet, binding = kBindBehindTarget, rgba16f) uniform writeonly image2D level;

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(level);
    if (any(greaterThanEqual(texel, size))) {
        return;
    }
    vec2 center = (vec2(texel) + 0.5) / vec2(size);
    // Between a texel that weighs 3 and one that weighs 1 outside of it.
    vec2 side = 0.75 / vec2(textureSize(finer, 0));
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; ++i) {
        vec2 to = vec2((i & 1) == 0 ? -side.x : side.x, (i & 2) == 0 ? -side.y : side.y);
        sum += textureLod(finer, center + to, 0.0).rgb;
    }
    imageStore(level, texel, vec4(0.25 * sum, 1.0));
}
