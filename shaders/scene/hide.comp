// Marks the instances that a person has hidden (--hide, --isolate): a lane for each.
// Reads: a bit for each instance. Writes: flags of instances.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/passes.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindHidden, std430) readonly buffer Hidden { uint hidden[]; };
layout(set = kPassSet, binding = kBindPlacedInstances, std430) buffer Instances { Instance instances[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { HideConstants constants; };

void main() {
    uint instance = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (instance >= constants.count) {
        return;
    }
    bool hides = (hidden[instance / 32u] >> (instance % 32u) & 1u) != 0u;
    instances[instance].flags = (instances[instance].flags & ~kInstanceHidden) | (hides ? kInstanceHidden : 0u);
}
