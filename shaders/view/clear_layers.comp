// Clears the layers of what blends (layers.glsl) where they hold something: a pixel's first place tells.
//
// FOR_REST: should culling have left some of it to be drawn without lists (cull/rounds.glsl): that draws all of it, and
// layers take each triangle once.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/passes.h"
#include "shared/scene.h"
#include "view/layer_places.glsl"

layout(local_size_x = 256) in;
#ifdef FOR_REST
layout(set = kPassSet, binding = kBindState, std430) readonly buffer State { CullState state; };
#endif
layout(set = kPassSet, binding = kBindWideIds, std430) buffer Layers { uvec2 layers[]; };

void main() {
#ifdef FOR_REST
    if (state.undone.count == 0u) {
        return;
    }
#endif
    uint pixels = uint(layers.length()) / kLayerWords;
    for (uint i = gl_GlobalInvocationID.x; i < pixels; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        if (layers[layer_place(i, 0u)] != uvec2(0u)) {
            for (uint word = 0u; word < kLayerWords; ++word) {
                layers[layer_place(i, word)] = uvec2(0u);
            }
        }
    }
}
