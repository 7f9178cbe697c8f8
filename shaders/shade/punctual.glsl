// What arrives of a punctual light, by the formulas that KHR_lights_punctual recommends.
//
// C++ compiles this too (tests/shading_twin.h).

#include "shared/lights.h"

// Light that arrives at a surface from one direction.
struct Arriving {
    vec3 direction;   // towards where it comes from, unit length
    vec3 irradiance;  // of a surface that faces it
    uint maps;        // PunctualLight::maps
};

// The square of a light's own size, in metres: nearer than that it is no brighter.
const float kLightSizeSquared = 1e-4f;

Arriving punctual_light(PunctualLight light, vec3 position) {
    Arriving arriving;
    arriving.direction = -vec3(light.direction);
    arriving.irradiance = vec3(light.color);
    arriving.maps = light.maps;
    if (light.kind == kLightDirectional) {
        return arriving;
    }
    vec3 to_light = vec3(light.position) - position;
    float squared = max(dot(to_light, to_light), 1e-30f);
    arriving.direction = to_light * inversesqrt(squared);
    float share = 1.0f / max(squared, kLightSizeSquared);
    if (light.position.w > 0.0f) {
        // Beyond the range it is 0, to the bit: such lights may be left out.
        float part = squared / (light.position.w * light.position.w);
        share *= clamp(1.0f - part * part, 0.0f, 1.0f);
    }
    if (light.kind == kLightSpot) {
        float cosine = -dot(vec3(light.direction), arriving.direction);
        float within = clamp(cosine * light.cone_scale + light.cone_offset, 0.0f, 1.0f);
        share *= within * within;
    }
    arriving.irradiance = arriving.irradiance * share;
    return arriving;
}
