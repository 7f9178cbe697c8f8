// Where a picture differs from another: the picture becomes dim and grey, and every pixel that differs at all becomes
// bright, from yellow for a step of one channel to red for many. One lane a pixel.
//
// Reads: the other picture. Reads and writes: the picture. Adds up: the pixels that differ.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/difference.h"

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = kPassSet, binding = kBindColor, rgba8) uniform image2D picture;
layout(set = kPassSet, binding = kBindReferenceColor, rgba8) uniform readonly image2D reference;
layout(set = kPassSet, binding = kBindDifferences, std430) buffer Differences { uint differing_pixels; };

layout(push_constant) uniform Push { DifferenceConstants constants; };

const float kStep = 1.0 / 255.0;

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(pixel), constants.size))) {
        return;
    }
    vec3 color = imageLoad(picture, pixel).rgb;
    vec3 apart = abs(color - imageLoad(reference, pixel).rgb);
    float most = max(apart.r, max(apart.g, apart.b));
    if (most < 0.5 * kStep) {
        imageStore(picture, pixel, vec4(vec3(0.1 + 0.25 * dot(color, vec3(0.2126, 0.7152, 0.0722))), 1.0));
    } else {
        atomicAdd(differing_pixels, 1u);
        imageStore(picture, pixel, vec4(1.0, 1.0 - clamp(log2(most / kStep) / 5.0, 0.0, 1.0), 0.0, 1.0));
    }
}
