// One sun and an ambient sky, on a diffuse surface. A material is evaluated by these functions wherever its inputs come
// from.

#include "shared/scene.h"

// Linear colour leaving a surface of this albedo (linear) with unit normal `n`.
vec3 shade(FrameData frame, vec3 albedo, vec3 n) {
    vec3 sun = frame.sun_color.rgb * max(dot(n, frame.sun_direction.xyz), 0.0);
    vec3 ambient = mix(frame.ground_color.rgb, frame.sky_color.rgb, 0.5 + 0.5 * n.y);
    return albedo * (sun + ambient);
}

// IEC 61966-2-1. Images are stored encoded, so that every device rounds the same way and copies never convert.
vec3 srgb_encode(vec3 linear) {
    vec3 c = clamp(linear, 0.0, 1.0);
    return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, lessThanEqual(c, vec3(0.0031308)));
}
