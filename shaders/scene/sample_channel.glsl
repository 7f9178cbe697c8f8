// Values of channels of materials and lights. The includer has included keys.glsl.

vec4 value_at(AnimationChannel channel, uint index) {
    uint at = channel.first_value + index * channel.components;
    vec4 value = vec4(0.0);
    for (uint i = 0u; i < channel.components; ++i) {
        value[i] = keys[at + i];
    }
    return value;
}

// scene::sample(), of what is no rotation of a node.
vec4 sample_channel(uint number) {
    AnimationChannel channel = channels[number];
    KeyPlace place = find_keys(channel, time_of(channel.animation, 0u));
    bool cubic = channel.interpolation == kInterpolateCubicSpline;
    vec4 value = value_at(channel, cubic ? 3u * place.key + 1u : place.key);
    if (place.next != place.key) {
        if (cubic) {
            value = interpolate_cubic(value, value_at(channel, 3u * place.key + 2u),
                                      value_at(channel, 3u * place.next + 1u), value_at(channel, 3u * place.next),
                                      place.t, place.seconds);
        } else {
            value = interpolate_linear(value, value_at(channel, place.next), place.t);
        }
    }
    return value;
}

vec4 driven(uint channel, vec4 still) { return channel == kNotDriven ? still : sample_channel(channel); }
