// Where channels are between their keys (shared/animation.h). The includer declares `constants`.

#include "shared/animation.h"
#include "shared/bindings.h"

layout(set = kPassSet, binding = kBindTimes, std430) readonly buffer Times { float times[]; };
// Of each animation its length, then, for each copy, by how much each of its animations is ahead.
layout(set = kPassSet, binding = kBindTimeShifts, std430) readonly buffer TimeShifts { float time_shifts[]; };
layout(set = kPassSet, binding = kBindChannels, std430) readonly buffer Channels { AnimationChannel channels[]; };
layout(set = kPassSet, binding = kBindKeys, std430) readonly buffer Keys { float keys[]; };

// From 0 to less than the animation's length, as both terms are.
float time_of(uint animation, uint copy) {
    precise float time = times[animation] + time_shifts[(1u + copy) * constants.animations + animation];
    float length = time_shifts[animation];
    return time >= length ? time - length : time;
}

// Two keys, the same one where nothing lies between, and how far from the first to the second.
struct KeyPlace {
    uint key;
    uint next;
    float t;
    float seconds;  // from one to the other
};

KeyPlace find_keys(AnimationChannel channel, float time) {
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
    uint key = next == 0u ? 0u : next - 1u;
    if (next == 0u || next == channel.key_count || channel.interpolation == kInterpolateStep) {
        return KeyPlace(key, key, 0.0, 0.0);
    }
    float from = keys[channel.first_time + key];
    float to = keys[channel.first_time + next];
    return KeyPlace(key, next, place_between(time, from, to), to - from);
}
