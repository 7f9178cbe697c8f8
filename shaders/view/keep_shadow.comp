// What geometry left of a shadow map's view, to a layer of the image that shading reads: its depths as they are. With
// PIXELS they are words of the compute rasteriser.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/shadow.h"

layout(local_size_x = 16, local_size_y = 16) in;
#ifdef PIXELS
layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { float pixels[]; };
#else
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depths;
#endif
layout(set = kPassSet, binding = kBindShadowDepths, r32f) uniform writeonly image2DArray shadow_depths;
layout(push_constant) uniform Push { KeepShadowConstants constants; };

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(texel), uvec2(constants.size)))) {
        return;
    }
#ifdef PIXELS
    float depth = pixels[uint(texel.y) * constants.size + uint(texel.x)];
#else
    float depth = texelFetch(depths, texel, 0).x;
#endif
    imageStore(shadow_depths, ivec3(texel, constants.layer), vec4(depth));
}
