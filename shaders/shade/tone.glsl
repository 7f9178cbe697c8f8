// From light to what a picture stores.
//
// C++ compiles this too (src/base/glsl.h).

// IEC 61966-2-1. Images are stored encoded, so that every device rounds the same way and copies never convert.
float srgb_encode(float linear) {
    float c = clamp(linear, 0.0f, 1.0f);
    return c <= 0.0031308f ? 12.92f * c : 1.055f * pow(c, 1.0f / 2.4f) - 0.055f;
}
vec3 srgb_encode(vec3 linear) { return vec3(srgb_encode(linear.x), srgb_encode(linear.y), srgb_encode(linear.z)); }

// And back.
float srgb_decode(float stored) {
    return stored <= 0.04045f ? stored / 12.92f : pow((stored + 0.055f) / 1.055f, 2.4f);
}
vec3 srgb_decode(vec3 stored) { return vec3(srgb_decode(stored.x), srgb_decode(stored.y), srgb_decode(stored.z)); }

// Colours of surfaces under white light stay what they are; highlights go to white. Khronos PBR Neutral Tone Mapper,
// https://github.com/KhronosGroup/ToneMapping.
vec3 tone_neutral(vec3 color) {
    const float start = 0.8f - 0.04f;
    const float desaturation = 0.15f;
    float least = min(color.x, min(color.y, color.z));
    float offset = least < 0.08f ? least - 6.25f * least * least : 0.04f;
    vec3 c = color - offset;
    float peak = max(c.x, max(c.y, c.z));
    if (peak < start) {
        return c;
    }
    float room = 1.0f - start;
    float compressed = 1.0f - room * room / (peak + room - start);
    vec3 scaled = c * (compressed / peak);
    float to_white = 1.0f - 1.0f / (desaturation * (peak - compressed) + 1.0f);
    return scaled + (vec3(compressed) - scaled) * to_white;
}

// A fit of ACES' reference transform for sRGB by S. Hill: into its space, a curve for each channel, and back.
vec3 tone_aces(vec3 color) {
    vec3 v = vec3(0.59719f * color.x + 0.35458f * color.y + 0.04823f * color.z,
                  0.07600f * color.x + 0.90834f * color.y + 0.01566f * color.z,
                  0.02840f * color.x + 0.13383f * color.y + 0.83777f * color.z);
    vec3 c = (v * (v + 0.0245786f) - 0.000090537f) / (v * (v * 0.983729f + 0.4329510f) + 0.238081f);
    return vec3(1.60475f * c.x - 0.53108f * c.y - 0.07367f * c.z, -0.10208f * c.x + 1.10813f * c.y - 0.00605f * c.z,
                -0.00327f * c.x - 0.07276f * c.y + 1.07602f * c.z);
}

// Between -1/2 and 1/2, as evenly spread over neighbours as over all: J. Jimenez, "Next Generation Post Processing in
// Call of Duty: Advanced Warfare", 2014.
float interleaved_noise(vec2 pixel) {
    float at = 0.06711056f * pixel.x + 0.00583715f * pixel.y;
    float spread = 52.9829189f * (at - floor(at));
    return spread - floor(spread) - 0.5f;
}
