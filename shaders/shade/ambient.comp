// Ambient occlusion: which share of the light from all around nearby surfaces let through, by the depths of the picture
// alone. A texel, and a lane, for each square of kAmbientPixels pixels each way, of which it looks at one.
//
// In slices through the line of sight, the directions between the two horizons are open; a slice's share of a diffuse
// surface's light has a closed form (J. Jimenez, X. Wu, A. Pesce, A. Jarabo, "Practical Real-Time Strategies for
// Accurate Indirect Occlusion", 2016).
//
// Reads: depth. Writes: the share, and the binary logarithm of the distance that it is for.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/ambient.h"
#include "shared/shade.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindAmbient, rgba16f) uniform writeonly image2D ambient;

layout(local_size_x = kShadeTile, local_size_y = kShadeTile) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;

layout(push_constant) uniform Push { AmbientConstants constants; };

#include "shade/seen.glsl"
#include "shade/seen_place.glsl"

const float kPi = 3.14159265;
const int kSlices = 2;
const int kSteps = 5;            // of a slice, to each side
const float kMostPixels = 96.0;  // that a side reaches
const float kNearest = 0.25;     // of the distance: what is larger is cut off

vec3 place_at(ivec2 pixel, float depth) { return position_of(pixel, distance_of(depth)); }

bool is_inside(ivec2 pixel) {
    return all(greaterThanEqual(pixel, ivec2(0))) && all(lessThan(pixel, ivec2(constants.size)));
}

// Between depths of a pixel and of one beside it; more than there can be where that is beside the picture.
float depth_step(ivec2 pixel, float depth) { return is_inside(pixel) ? abs(layer_depth(pixel, false) - depth) : 2.0; }

// From a pixel to the next one along an axis, on its surface: of both neighbours by the one that is nearer in depth.
// Nothing where there is none.
vec3 step_along(ivec2 pixel, ivec2 axis, float depth, vec3 place) {
    bool forward = depth_step(pixel + axis, depth) <= depth_step(pixel - axis, depth);
    ivec2 other = forward ? pixel + axis : pixel - axis;
    vec3 to = is_inside(other) ? place_at(other, layer_depth(other, false)) - place : vec3(0.0);
    return forward ? to : -to;
}

// Numbers from 0 to 1, another one for each texel of a square.
vec2 noise_of(ivec2 texel) {
    uvec2 t = uvec2(texel) % kAmbientPattern;
    uint turn = ((t.x + t.y) % kAmbientPattern) * kAmbientPattern + t.x;
    return vec2((float(turn) + 0.5) / float(kAmbientPattern * kAmbientPattern),
                (float((t.y - t.x) % kAmbientPattern) + 0.5) / float(kAmbientPattern));
}

// The cosine of the horizon of one side, at most: as low as `low`.
float horizon(ivec2 pixel, vec2 direction, float reach, float start, vec3 place, vec3 to_eye, float radius,
              float low) {
    float highest = low;
    for (int i = 0; i < kSteps; ++i) {
        float part = (float(i) + start) / float(kSteps);
        ivec2 other = pixel + ivec2(round(direction * max(part * part * reach, float(i) + 1.0)));
        if (!is_inside(other)) {
            break;
        }
        float depth = layer_depth(other, false);
        if (depth == 0.0) {
            continue;
        }
        vec3 to = place_at(other, depth) - place;
        float away = length(to);
        float fades = clamp(8.0 - 8.0 * away / radius, 0.0, 1.0);
        highest = max(highest, mix(low, dot(to, to_eye) / max(away, 1e-30), fades));
    }
    return highest;
}

// Of a slice, between a horizon and the middle.
float open_share(float angle, float of_normal) {
    return 0.25 * (cos(of_normal) + 2.0 * angle * sin(of_normal) - cos(2.0 * angle - of_normal));
}

float open_part(ivec2 texel, ivec2 pixel, float depth) {
    float distance = distance_of(depth);
    vec3 place = position_of(pixel, distance);
    bool orthographic = frame.view.eye.w != 0.0;
    vec3 to_eye = orthographic ? -frame.view.forward.xyz : normalize(frame.view.eye.xyz - place);
    vec3 right = step_along(pixel, ivec2(1, 0), depth, place);
    vec3 down = step_along(pixel, ivec2(0, 1), depth, place);
    vec3 normal = cross(down, right);
    float size = length(normal);
    if (!(size > 0.0)) {
        return 1.0;
    }
    normal /= dot(normal, to_eye) < 0.0 ? -size : size;
    float radius = orthographic ? constants.radius : min(constants.radius, kNearest * distance);
    // Pixels across that radius.
    float times = orthographic ? 1.0 : distance;
    float unit = 2.0 * length(frame.across[0].xyz) * times / float(constants.size.x);
    float reach = min(radius / unit, kMostPixels);
    if (reach < 1.0) {
        return 1.0;
    }
    vec3 x_axis = normalize(frame.across[0].xyz);
    vec3 y_axis = normalize(frame.across[1].xyz);
    vec2 noise = noise_of(texel);
    float sum = 0.0;
    for (int slice = 0; slice < kSlices; ++slice) {
        float turn = kPi * (float(slice) + noise.x) / float(kSlices);
        vec2 direction = vec2(cos(turn), sin(turn));
        vec3 along = x_axis * direction.x + y_axis * direction.y;
        vec3 aside = along - to_eye * dot(along, to_eye);
        vec3 axis = normalize(cross(aside, to_eye));
        vec3 within = normal - axis * dot(normal, axis);
        float share = length(within);
        if (!(share > 1e-6)) {
            continue;
        }
        float facing = clamp(dot(within, to_eye) / share, -1.0, 1.0);
        float of_normal = dot(aside, within) < 0.0 ? -acos(facing) : acos(facing);
        // The surface's own horizons.
        float low_before = cos(of_normal - 0.5 * kPi);
        float low_after = cos(of_normal + 0.5 * kPi);
        float before = horizon(pixel, -direction, reach, noise.y, place, to_eye, radius, low_before);
        float after = horizon(pixel, direction, reach, noise.y, place, to_eye, radius, low_after);
        float from = max(-acos(clamp(before, -1.0, 1.0)), of_normal - 0.5 * kPi);
        float to = min(acos(clamp(after, -1.0, 1.0)), of_normal + 0.5 * kPi);
        sum += share * (open_share(from, of_normal) + open_share(to, of_normal));
    }
    return clamp(sum / float(kSlices), 0.0, 1.0);
}

void main() {
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(texel), ambient_texels(constants.size)))) {
        return;
    }
    ivec2 pixel = texel * int(kAmbientPixels);
    float depth = layer_depth(pixel, false);
    vec2 found = vec2(1.0, kAmbientNowhere);
    if (depth != 0.0) {
        found = vec2(open_part(texel, pixel, depth), log2(distance_of(depth)));
    }
    imageStore(ambient, texel, vec4(found, 0.0, 0.0));
}
