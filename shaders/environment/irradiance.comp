// Light from all around as nine spherical harmonics of the irradiance that it makes: R. Ramamoorthi and P. Hanrahan,
// "An Efficient Representation for Irradiance Environment Maps", 2001. One workgroup.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"
#include "environment/cube.glsl"

const uint kLanes = 256u;
layout(local_size_x = kLanes) in;
layout(set = kPassSet, binding = kBindCubeSource, rgba16f) uniform readonly image2DArray source;
layout(set = kPassSet, binding = kBindIrradiance, std430) writeonly buffer Irradiance { vec4 irradiance[9]; };
layout(push_constant) uniform Push { EnvironmentConstants constants; };

shared vec3 sums[kLanes];
shared float areas[kLanes];

// The harmonics, each over its factor in environment_irradiance() (shade/light.glsl).
float harmonic(uint i, vec3 n) {
    switch (i) {
        case 0u: return 0.282095 * 0.282095;
        case 1u: return 0.488603 * 0.488603 * n.y;
        case 2u: return 0.488603 * 0.488603 * n.z;
        case 3u: return 0.488603 * 0.488603 * n.x;
        case 4u: return 1.092548 * 1.092548 * n.x * n.y;
        case 5u: return 1.092548 * 1.092548 * n.y * n.z;
        case 6u: return 0.315392 * 0.315392 * (3.0 * n.z * n.z - 1.0);
        case 7u: return 1.092548 * 1.092548 * n.x * n.z;
        default: return 0.546274 * 0.546274 * (n.x * n.x - n.y * n.y);
    }
}

void main() {
    const float kPi = 3.14159265359;
    uint lane = gl_LocalInvocationIndex;
    for (uint i = 0u; i < 9u; ++i) {
        vec3 sum = vec3(0.0);
        float area = 0.0;
        for (uint at = lane; at < 6u * constants.source_size * constants.source_size; at += kLanes) {
            uvec3 texel = uvec3(at % constants.source_size, at / constants.source_size % constants.source_size,
                                at / (constants.source_size * constants.source_size));
            vec3 direction = cube_direction(texel, constants.source_size);
            float angle = cube_solid_angle(direction, constants.source_size);
            sum += imageLoad(source, ivec3(texel)).rgb * (angle * harmonic(i, normalize(direction)));
            area += angle;
        }
        sums[lane] = sum;
        areas[lane] = area;
        for (uint step = kLanes / 2u; step != 0u; step >>= 1u) {
            barrier();
            if (lane < step) {
                sums[lane] += sums[lane + step];
                areas[lane] += areas[lane + step];
            }
        }
        barrier();
        if (lane == 0u) {
            // What a cosine leaves of each band.
            float band = i == 0u ? kPi : i < 4u ? 2.0 * kPi / 3.0 : kPi / 4.0;
            irradiance[i] = vec4(sums[0] * (band * 4.0 * kPi / areas[0]), 0.0);
        }
        barrier();
    }
}
