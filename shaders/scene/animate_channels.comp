// Samples what moves: a lane for each channel of each copy of the scene writes one property of its node's local
// transform.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindTimes, std430) readonly buffer Times { float times[]; };
// Of each animation its length, then, for each copy, by how much each of its animations is ahead.
layout(set = kPassSet, binding = kBindTimeShifts, std430) readonly buffer TimeShifts { float time_shifts[]; };
layout(set = kPassSet, binding = kBindChannels, std430) readonly buffer Channels { AnimationChannel channels[]; };
layout(set = kPassSet, binding = kBindKeys, std430) readonly buffer Keys { float keys[]; };
layout(set = kPassSet, binding = kBindLocalTransforms, std430) writeonly buffer Vectors { vec4 vectors[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

vec4 value_at(AnimationChannel channel, uint index) {
    uint at = channel.first_value + index * channel.components;
    return vec4(keys[at], keys[at + 1u], keys[at + 2u], channel.components == 4u ? keys[at + 3u] : 0.0);
}

// scene::sample().
vec4 sample_channel(AnimationChannel channel, float time) {
    uint next = 0u;  // the first key after `time`
    uint end = channel.key_count;
    while (next < end) {
        uint middle = (next + end) >> 1u;
        if (keys[channel.first_time + middle] <= time) {
            next = middle + 1u;
        } else {
            end = middle;
        }
    }
    bool rotation = channel.components == 4u;
    bool cubic = channel.interpolation == kInterpolateCubicSpline;
    uint key = next == 0u ? 0u : next - 1u;
    vec4 value = value_at(channel, cubic ? 3u * key + 1u : key);
    if (next > 0u && next < channel.key_count && channel.interpolation != kInterpolateStep) {
        float from = keys[channel.first_time + key];
        float to = keys[channel.first_time + next];
        float t = place_between(time, from, to);
        if (cubic) {
            value = interpolate_cubic(value, value_at(channel, 3u * key + 2u), value_at(channel, 3u * next + 1u),
                                      value_at(channel, 3u * next), t, to - from);
        } else if (rotation) {
            value = interpolate_rotation(value, value_at(channel, next), t);
        } else {
            value = interpolate_linear(value, value_at(channel, next), t);
        }
    }
    return rotation ? unit_quaternion(value) : value;
}

// From 0 to less than the animation's length, as both terms are.
float time_of(uint animation, uint copy) {
    precise float time = times[animation] + time_shifts[(1u + copy) * constants.animations + animation];
    float length = time_shifts[animation];
    return time >= length ? time - length : time;
}

void main() {
    uint lane = (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (lane < constants.count) {
        uint copy = lane / constants.per_copy;
        AnimationChannel channel = channels[lane % constants.per_copy];
        uint first = (constants.matrices + copy * constants.driven) * kLinkVectors;
        vectors[first + channel.target] = sample_channel(channel, time_of(channel.animation, copy));
    }
}
