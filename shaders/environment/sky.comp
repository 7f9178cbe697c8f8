// The sky over flat ground, as a cube.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"
#include "environment/cube.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = kPassSet, binding = kBindSkyScattering, std430) readonly buffer SkyScattering { vec4 scattered[]; };
layout(set = kPassSet, binding = kBindCubeTarget, rgba16f) uniform writeonly image2DArray target;
layout(push_constant) uniform Push { EnvironmentConstants constants; };

vec3 scattered_at(float height);
#define SKY_MORE(height) scattered_at(height)
#include "environment/sky.glsl"

vec3 scattered_at(float height) {
    float at = clamp(sqrt(max(height, 0.0) / (kAirRadius - kGroundRadius)) * float(kSkyHeights) - 0.5, 0.0,
                     float(kSkyHeights - 1u));
    uint below = uint(at);
    return mix(scattered[below].rgb, scattered[min(below + 1u, kSkyHeights - 1u)].rgb, at - float(below));
}

void main() {
    uvec3 texel = gl_GlobalInvocationID;
    if (any(greaterThanEqual(texel.xy, uvec2(constants.size)))) {
        return;
    }
    vec3 direction = normalize(cube_direction(texel, constants.size));
    SkyRay ray = sky_ray(vec3(0.0, kGroundRadius + kEyeHeight, 0.0), direction, constants.sun_direction.xyz, true, 16);
    imageStore(target, ivec3(texel), vec4(ray.light * constants.sun_direction.w, 1.0));
}
