// How much of white light from all around microfacets reflect towards a viewer: over the cosine of the angle he looks
// at (to the right) and roughness (down), what f0 is multiplied by, and f90 (B. Karis, "Real Shading in Unreal Engine
// 4", 2013); and how much white fibres reflect.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"
#include "environment/points.glsl"
#include "shade/brdf.glsl"

const uint kSamples = 512u;
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = kPassSet, binding = kBindCubeTarget, rgba16f) uniform writeonly image2D target;

void main() {
    uvec2 texel = gl_GlobalInvocationID.xy;
    // Cosines at texels' middles: none is 0. Roughnesses from 0 to 1: a white surface of 1 loses nothing either.
    vec2 at = vec2((float(texel.x) + 0.5) / float(kReflectancesSize),
                   float(texel.y) / float(kReflectancesSize - 1u));
    float n_v = at.x;
    float alpha = ggx_alpha(at.y);
    vec3 v = vec3(sqrt(1.0 - n_v * n_v), 0.0, n_v);
    vec2 sums = vec2(0.0);
    for (uint i = 0u; i < kSamples; ++i) {
        vec3 h = ggx_half_vector(hammersley(i, kSamples), alpha);
        float v_h = dot(v, h);
        float n_l = 2.0 * v_h * h.z - v.z;
        if (n_l <= 0.0 || v_h <= 0.0) {
            continue;
        }
        // The lobe over the density of light's directions.
        float weight = 4.0 * visibility_ggx(n_l, n_v, alpha) * n_l * v_h / h.z;
        float along = pow(1.0 - v_h, 5.0);
        sums += vec2(1.0 - along, along) * weight;
    }
    float fibres = 0.0;
    for (uint i = 0u; i < kSamples; ++i) {
        // Directions of light, as many of one height as of another.
        vec2 point = hammersley(i, kSamples);
        float n_l = point.y + 0.5 / float(kSamples);
        float sine = sqrt(1.0 - n_l * n_l);
        float turn = 6.28318530718 * point.x;
        vec3 h = normalize(v + vec3(sine * cos(turn), sine * sin(turn), n_l));
        fibres += distribution_charlie(h.z, at.y) * visibility_charlie(n_l, n_v) * n_l;
    }
    fibres *= 2.0 * kPi / float(kSamples);
    // Along the surface the visibility term would make light.
    imageStore(target, ivec2(texel), vec4(sums / float(kSamples), min(fibres, 1.0), 0.0));
}
