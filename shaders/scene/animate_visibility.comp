// Hides what is not visible: a lane for each instance whose node, or one above it, has a channel that plays
// KHR_node_visibility. It is visible where all of them say so; those that no channel plays are visible anyway.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindShownInstances, std430) readonly buffer Shown { MovedInstance shown[]; };
layout(set = kPassSet, binding = kBindLinks, std430) readonly buffer Links { uint links[]; };
layout(set = kPassSet, binding = kBindPlacedInstances, std430) buffer Instances { Instance instances[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/keys.glsl"

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane >= constants.count) {
        return;
    }
    MovedInstance of = shown[lane];
    bool visible = true;
    for (uint i = 0u; i < of.link_count && visible; ++i) {
        AnimationChannel channel = channels[links[of.first_link + i]];
        KeyPlace place = find_keys(channel, time_of(channel.animation, 0u));
        visible = keys[channel.first_value + place.key] != 0.0;
    }
    uint flags = instances[of.instance].flags & ~kInstanceInvisible;
    instances[of.instance].flags = flags | (visible ? 0u : kInstanceInvisible);
}
