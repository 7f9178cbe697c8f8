// From what a file says of a light, and where its node is, to what shading reads of it: for the CPU, which places
// lights that stand still, and for the pass "animate" (scene/animate_lights.comp).
#ifndef SUBLET_SHARED_PLACE_LIGHT_H
#define SUBLET_SHARED_PLACE_LIGHT_H

#include "animation.h"
#include "lights.h"

SUBLET_SHARED_BEGIN

SUBLET_CONST float kMostOfLight = 1e30f;
SUBLET_CONST float kWidestCone = 1.57079632f;  // a right angle

SUBLET_FUNCTION float clamp_light(float value, float low, float high) {
    return value > low ? (value < high ? value : high) : low;
}

// KHR_lights_punctual's factors; `cone`: inner and outer angle, of a spot alone. `position` and `direction`: xyz, in
// the world; the direction of any length, and that of -z where it has none. Light that an animation makes less than 0
// is none.
SUBLET_FUNCTION PunctualLight place_light(uint kind, vec4 color, float intensity, float range, vec2 cone, vec4 position,
                                          vec4 direction) {
    PunctualLight light;
    light.position = position;
    light.position.w = clamp_light(range, 0.0f, kMostOfLight);
    light.color.x = clamp_light(color.x * intensity, 0.0f, kMostOfLight);
    light.color.y = clamp_light(color.y * intensity, 0.0f, kMostOfLight);
    light.color.z = clamp_light(color.z * intensity, 0.0f, kMostOfLight);
    light.color.w = 0.0f;
    SUBLET_PRECISE float most = abs(direction.x) + abs(direction.y) + abs(direction.z);
    bool points = most > 1e-30f && most < kMostOfLight;
    light.direction.x = points ? direction.x / most : 0.0f;
    light.direction.y = points ? direction.y / most : 0.0f;
    light.direction.z = points ? direction.z / most : -1.0f;
    SUBLET_PRECISE float length = sqrt(light.direction.x * light.direction.x + light.direction.y * light.direction.y +
                                       light.direction.z * light.direction.z);
    light.direction.x = light.direction.x / length;
    light.direction.y = light.direction.y / length;
    light.direction.z = light.direction.z / length;
    float outer = clamp_light(cone.y, 0.0f, kWidestCone);
    SUBLET_PRECISE float edge = sine_and_cosine(outer).y;
    SUBLET_PRECISE float full = sine_and_cosine(clamp_light(cone.x, 0.0f, outer)).y;
    light.direction.w = edge;
    light.kind = kind;
    light.cone_scale = 1.0f / (full - edge > 0.001f ? full - edge : 0.001f);
    SUBLET_PRECISE float offset = -edge * light.cone_scale;
    light.cone_offset = offset;
    light.maps = 0u;
    return light;
}

SUBLET_SHARED_END
#endif
