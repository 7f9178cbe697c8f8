// Samples what moves: a lane for each channel of each copy of the scene writes one property of its node's local
// transform.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/animation.h"
#include "shared/bindings.h"
#include "shared/scene.h"

layout(set = kPassSet, binding = kBindLocalTransforms, std430) writeonly buffer Vectors { vec4 vectors[]; };

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { AnimateConstants constants; };

#include "scene/keys.glsl"

vec4 value_at(AnimationChannel channel, uint index) {
    uint at = channel.first_value + index * channel.components;
    return vec4(keys[at], keys[at + 1u], keys[at + 2u], channel.components == 4u ? keys[at + 3u] : 0.0);
}

// scene::sample().
vec4 sample_channel(AnimationChannel channel, float time) {
    KeyPlace place = find_keys(channel, time);
    bool rotation = channel.components == 4u;
    bool cubic = channel.interpolation == kInterpolateCubicSpline;
    vec4 value = value_at(channel, cubic ? 3u * place.key + 1u : place.key);
    if (place.next != place.key) {
        if (cubic) {
            value = interpolate_cubic(value, value_at(channel, 3u * place.key + 2u),
                                      value_at(channel, 3u * place.next + 1u), value_at(channel, 3u * place.next),
                                      place.t, place.seconds);
        } else if (rotation) {
            value = interpolate_rotation(value, value_at(channel, place.next), place.t);
        } else {
            value = interpolate_linear(value, value_at(channel, place.next), place.t);
        }
    }
    return rotation ? unit_quaternion(value) : value;
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
