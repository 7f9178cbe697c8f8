// A picture that is the average of several frames, in linear light. One lane a pixel.
//
// Reads and writes: the picture, which was this frame alone, and the sum of the frames before it. A frame that is
// repeated becomes the average that there is.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/average.h"
#include "shared/bindings.h"
#include "shade/tone.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = kPassSet, binding = kBindColor, rgba8) uniform image2D picture;
layout(set = kPassSet, binding = kBindSum, rgba32f) uniform image2D sums;

layout(push_constant) uniform Push { AverageConstants constants; };

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(pixel), constants.size))) {
        return;
    }
    vec3 sum = vec3(0.0);
    if (constants.frames > 1u || constants.repeated != 0u) {
        sum = imageLoad(sums, pixel).rgb;
    }
    if (constants.repeated == 0u) {
        sum += srgb_decode(imageLoad(picture, pixel).rgb);
        imageStore(sums, pixel, vec4(sum, 0.0));
    }
    imageStore(picture, pixel, vec4(srgb_encode(sum / float(constants.frames)), 1.0));
}
