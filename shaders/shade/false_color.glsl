// A colour for a number, as different from its neighbours' as can be: the bits of the number, mixed (the finaliser of
// MurmurHash3, A. Appleby, public domain), as hue, and some of them as brightness.
vec3 false_color(uint number) {
    number = (number ^ number >> 16u) * 0x85ebca6bu;
    number = (number ^ number >> 13u) * 0xc2b2ae35u;
    number ^= number >> 16u;
    vec3 hue =
        clamp(abs(mod(float(number & 0xffffu) / 65536.0 * 6.0 + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0, 0.0, 1.0);
    float brightness = 0.45 + 0.55 * float(number >> 16u) / 65535.0;
    return mix(vec3(1.0), hue, 0.75) * brightness;
}

// The number of a meshlet of an instance, for that.
uint meshlet_number(uint instance, uint meshlet) { return instance * 0x9e3779b9u + meshlet; }

// One of shared/view_colors.h.
vec3 named_color(uint color) { return unpackUnorm4x8(color).rgb; }
