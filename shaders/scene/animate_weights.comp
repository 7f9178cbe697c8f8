// Weighs morph targets: a lane for each node that has some, in each copy of the scene, samples the channel of their
// weights and lists those that are not 0 (shared/deform.h, MorphWeights).
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/deform.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindMorphWeights, std430) readonly buffer Weights { MorphWeights weights[]; };
layout(set = kPassSet, binding = kBindWrittenDeformation, std430) writeonly buffer WrittenDeformation {
    uvec4 written_deformation[];
};

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/keys.glsl"

// Of a channel's value: its number among all keys' values.
vec4 weight_at(AnimationChannel channel, uint index, uint target) {
    return vec4(keys[channel.first_value + index * channel.components + target], 0.0, 0.0, 0.0);
}

// scene::sample_weights().
float sample_weight(AnimationChannel channel, KeyPlace place, uint target) {
    bool cubic = channel.interpolation == kInterpolateCubicSpline;
    vec4 value = weight_at(channel, cubic ? 3u * place.key + 1u : place.key, target);
    if (place.next == place.key) {
        return value.x;
    }
    if (cubic) {
        return interpolate_cubic(value, weight_at(channel, 3u * place.key + 2u, target),
                                 weight_at(channel, 3u * place.next + 1u, target),
                                 weight_at(channel, 3u * place.next, target), place.t, place.seconds)
            .x;
    }
    return interpolate_linear(value, weight_at(channel, place.next, target), place.t).x;
}

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane >= constants.count) {
        return;
    }
    uint copy = lane / constants.per_copy;
    MorphWeights set = weights[lane % constants.per_copy];
    bool driven = set.channel != kNoChannel;
    AnimationChannel channel;
    KeyPlace place;
    if (driven) {
        channel = channels[set.channel];
        place = find_keys(channel, time_of(channel.animation, copy));
    }
    uint first = constants.first_weight + copy * constants.weights + set.first_vector;
    uvec4 pair = uvec4(0u);
    uint count = 0u;
    for (uint target = 0u; target < set.target_count; ++target) {
        float weight = driven ? sample_weight(channel, place, target) : keys[set.first_default + target];
        if (weight == 0.0) {
            continue;
        }
        if ((count & 1u) == 0u) {
            pair = uvec4(target, floatBitsToUint(weight), 0u, 0u);
        } else {
            pair.zw = uvec2(target, floatBitsToUint(weight));
        }
        written_deformation[first + 1u + (count >> 1u)] = pair;
        ++count;
    }
    written_deformation[first] = uvec4(count, 0u, 0u, 0u);
}
