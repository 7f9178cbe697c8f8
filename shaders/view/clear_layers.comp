// Clears the layers of what blends (layers.glsl), should culling have left some of it to be drawn without lists
// (cull/rounds.glsl): that draws all of it, and layers take each triangle once.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/passes.h"
#include "shared/scene.h"

layout(local_size_x = 256) in;
layout(set = kPassSet, binding = kBindState, std430) readonly buffer State { CullState state; };
layout(set = kPassSet, binding = kBindWideIds, std430) writeonly buffer Layers { uvec2 layers[]; };

void main() {
    if (state.undone.count == 0u) {
        return;
    }
    uint end = uint(layers.length());
    for (uint i = gl_GlobalInvocationID.x; i < end; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        layers[i] = uvec2(0u);
    }
}
