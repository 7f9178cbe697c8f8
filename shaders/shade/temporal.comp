// Temporal antialiasing: a picture blended with those before it, where what it shows was then. One lane a pixel.
//
// Colours are blended as they are stored, tone mapped and sRGB-encoded, so that no light outshines its neighbours.
//
// Reads: the picture, which was this frame alone, motion, and the history: colours, and how far from the eye was what
// covers any of a pixel. Writes: the history with this frame in it, and the picture of that.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/shade.h"
#include "shared/temporal.h"

layout(local_size_x = kShadeTile, local_size_y = kShadeTile) in;

layout(set = kPassSet, binding = kBindColor, rgba8) uniform readonly image2D picture;
layout(set = kPassSet, binding = kBindMotion) uniform sampler2D motions;
layout(set = kPassSet, binding = kBindHistory) uniform sampler2D history;
layout(set = kPassSet, binding = kBindHistoryTarget, rgba16f) uniform writeonly image2D history_now;
layout(set = kPassSet, binding = kBindResolved, rgba8) uniform writeonly image2D resolved;

// Of a frame, once there is much history: at rest, and from a pixel of motion on, where resampling blurs it.
const float kLeastWeight = 0.1;
const float kLeastMovingWeight = 0.2;

layout(push_constant) uniform Push { TemporalConstants constants; };

// Brightness, and two differences of colour.
vec3 ycocg(vec3 c) {
    return vec3(0.25 * c.r + 0.5 * c.g + 0.25 * c.b, 0.5 * c.r - 0.5 * c.b, -0.25 * c.r + 0.5 * c.g - 0.25 * c.b);
}
vec3 from_ycocg(vec3 c) { return vec3(c.x + c.y - c.z, c.x + c.z, c.x - c.y - c.z); }

// Of a place in pixels: Catmull-Rom by five bilinear taps, without the corners, which hardly count (J. Jimenez,
// "Filmic SMAA", 2016).
vec3 history_at(vec2 place) {
    vec2 texel = 1.0 / vec2(constants.size);
    vec2 middle = floor(place - 0.5) + 0.5;
    vec2 f = place - middle;
    vec2 w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
    vec2 w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
    vec2 w2 = f * (0.5 + f * (2.0 - 1.5 * f));
    vec2 w3 = f * f * (-0.5 + 0.5 * f);
    vec2 w12 = w1 + w2;
    vec2 at0 = (middle - 1.0) * texel;
    vec2 at12 = (middle + w2 / w12) * texel;
    vec2 at3 = (middle + 2.0) * texel;
    vec4 sum = vec4(textureLod(history, at12, 0.0).rgb, 1.0) * (w12.x * w12.y);
    sum += vec4(textureLod(history, vec2(at12.x, at0.y), 0.0).rgb, 1.0) * (w12.x * w0.y);
    sum += vec4(textureLod(history, vec2(at0.x, at12.y), 0.0).rgb, 1.0) * (w0.x * w12.y);
    sum += vec4(textureLod(history, vec2(at3.x, at12.y), 0.0).rgb, 1.0) * (w3.x * w12.y);
    sum += vec4(textureLod(history, vec2(at12.x, at3.y), 0.0).rgb, 1.0) * (w12.x * w3.y);
    return clamp(sum.rgb / sum.a, 0.0, 1.0);
}

// Beside its colour the history has how far from the eye a pixel is, in sixteenths of an octave of near planes, and of
// how many frames it is, up to 15: one whole number that a half float holds.
float distance_level(float distance) { return 16.0 * log2(max(distance, 1.0)); }
float pack(float distance, float frames) {
    return (min(floor(distance_level(distance)), 255.0) - 128.0) * 16.0 + min(frames, 15.0);
}
vec4 levels_of(vec4 packed) { return floor(packed / 16.0) + 128.0; }
float frames_of(float packed) { return packed - floor(packed / 16.0) * 16.0; }

// Whether the history shows there what is this far away, in the camera of then; or else what hid it, or lay behind it.
bool same_surface(vec2 place, float distance) {
    const float slack = 3.0;  // an eighth of the distance
    vec4 found = levels_of(textureGather(history, place / vec2(constants.size), 3));
    float level = floor(distance_level(distance));
    float least = min(min(found.x, found.y), min(found.z, found.w));
    float most = max(max(found.x, found.y), max(found.z, found.w));
    return least <= level + slack && level <= most + slack;
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(pixel), constants.size))) {
        return;
    }
    vec3 now = imageLoad(picture, pixel).rgb;
    // Of the neighbours: mean and spread of colours; and the motion of what is in front of this pixel, so that edges go
    // with it. Of that the farthest: where a round thing turns away it moves as its edge does.
    vec4 own = texelFetch(motions, pixel, 0);
    vec4 motion = own;
    float edge = 0.0;
    vec3 sum = vec3(0.0);
    vec3 squares = vec3(0.0);
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            ivec2 at = clamp(pixel + ivec2(x, y), ivec2(0), ivec2(constants.size) - 1);
            vec4 there = texelFetch(motions, at, 0);
            if (there.w < 0.95 * own.w && there.w > edge) {
                motion = there;
                edge = there.w;
            }
            vec3 color = ycocg(imageLoad(picture, at).rgb);
            sum += color;
            squares += color * color;
        }
    }
    vec2 place = vec2(pixel) + 0.5 - motion.xy;
    vec3 blended = now;
    float frames = 0.0;
    bool inside = all(greaterThanEqual(place, vec2(0.0))) && all(lessThanEqual(place, vec2(constants.size)));
    if (constants.has_history != 0u && inside && same_surface(place, motion.z)) {
        frames = frames_of(texelFetch(history, min(ivec2(place), ivec2(constants.size) - 1), 0).a) + 1.0;
        vec3 mean = sum / 9.0;
        vec3 spread = sqrt(max(squares / 9.0 - mean * mean, vec3(0.0)));
        vec3 before = ycocg(history_at(place));
        // Towards the mean, as far as it has to.
        vec3 beyond = abs(before - mean) / max(spread, vec3(1e-4));
        float most = max(beyond.x, max(beyond.y, beyond.z));
        before = mean + (before - mean) / max(most, 1.0);
        float weight = mix(kLeastWeight, kLeastMovingWeight, min(length(motion.xy), 1.0));
        blended = mix(from_ycocg(before), now, max(weight, 1.0 / (frames + 1.0)));
    }
    imageStore(history_now, pixel, vec4(blended, pack(motion.w, frames)));
    imageStore(resolved, pixel, vec4(blended, 1.0));
}
