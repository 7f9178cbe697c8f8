// Light that was scattered more than once, by height: each bounce brings the same share of the one before, from all
// directions alike. A workgroup a height; a lane a direction.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"
#include "environment/points.glsl"
#include "environment/sky.glsl"

const uint kDirections = 64u;
layout(local_size_x = kDirections) in;
layout(set = kPassSet, binding = kBindSkyScattering, std430) writeonly buffer SkyScattering { vec4 scattered[]; };
layout(push_constant) uniform Push { EnvironmentConstants constants; };

shared vec3 light[kDirections];
shared vec3 share[kDirections];

void main() {
    uint lane = gl_LocalInvocationIndex;
    // Denser near the ground.
    float part = (float(gl_WorkGroupID.x) + 0.5) / float(kSkyHeights);
    float height = part * part * (kAirRadius - kGroundRadius);
    vec2 point = hammersley(lane, kDirections);
    float up = 1.0 - 2.0 * (point.y + 0.5 / float(kDirections));
    float flat_part = sqrt(max(1.0 - up * up, 0.0));
    vec3 direction = vec3(flat_part * cos(6.28318531 * point.x), up, flat_part * sin(6.28318531 * point.x));
    SkyRay ray =
        sky_ray(vec3(0.0, kGroundRadius + height, 0.0), direction, constants.sun_direction.xyz, false, 16);
    light[lane] = ray.light;
    share[lane] = ray.scattered;
    barrier();
    if (lane == 0u) {
        vec3 second = vec3(0.0);
        vec3 again = vec3(0.0);
        for (uint i = 0u; i < kDirections; ++i) {
            second += light[i];
            again += share[i];
        }
        second /= float(kDirections);
        again /= float(kDirections);
        scattered[gl_WorkGroupID.x] = vec4(second / (1.0 - min(again, vec3(0.95))), 0.0);
    }
}
