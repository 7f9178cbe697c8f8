// What geometry left of a shadow map's view, to a layer of the image that shading reads: its depths as they are. With
// PIXELS they are words of the compute rasteriser.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/shadow.h"

const int kSide = 16;  // lanes of a workgroup, each way
const int kTexels = int(kKeptTexels);
layout(local_size_x = kSide, local_size_y = kSide) in;
#ifdef PIXELS
layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { float pixels[]; };
#else
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depths;
#endif
layout(set = kPassSet, binding = kBindShadowDepths, r32f) uniform writeonly image2DArray shadow_depths;
layout(push_constant) uniform Push { KeepShadowConstants constants; };

float depth_at(ivec2 texel) {
#ifdef PIXELS
    return pixels[uint(texel.y) * constants.size + uint(texel.x)];
#else
    return texelFetch(depths, texel, 0).x;
#endif
}

// Several texels a lane: else starting workgroups would take longer than what they do. Sizes are multiples of what a
// workgroup takes.
void main() {
    ivec2 first = ivec2(gl_WorkGroupID.xy) * kSide * kTexels + ivec2(gl_LocalInvocationID.xy);
    for (int i = 0; i < kTexels * kTexels; ++i) {
        ivec2 texel = first + kSide * ivec2(i % kTexels, i / kTexels);
        imageStore(shadow_depths, ivec3(texel, constants.layer), vec4(depth_at(texel)));
    }
}
