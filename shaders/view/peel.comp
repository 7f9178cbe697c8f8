// Takes what was drawn for a layer (view/peel.glsl) to its place among those of its pixel, an invocation for each.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/passes.h"
#include "shared/scene.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = kPassSet, binding = kBindIds) uniform utexture2D found;
layout(push_constant) uniform Push { PeelConstants constants; };
layout(set = kPassSet, binding = kBindWideIds, std430) buffer Layers { uvec2 layers[]; };
#include "view/peel.glsl"

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, constants.size))) {
        return;
    }
    uvec2 word = texelFetch(found, ivec2(pixel), 0).xy;
    uint number = pixel.y * constants.size.x + pixel.x;
    layers[layer_place(number, kBlendLayers)] = constants.last != 0u ? uvec2(0u) : word == uvec2(0u) ? kNoneLeft : word;
    // Places are as before, nearest first: draws of an earlier round have filled some.
    for (uint i = 0u; i < kBlendLayers && word != uvec2(0u); ++i) {
        uvec2 here = layers[layer_place(number, i)];
        if (words_less(here, word)) {
            layers[layer_place(number, i)] = word;
            word = here;
        }
    }
}
