// A level of what surfaces reflect: all light, as GGX's microfacets of the level's roughness mirror it towards a viewer
// straight above. Each sample is read from a level of the source whose texels are about as large as the sample's part
// of the lobe: M. Colbert and J. Krivanek, "GPU-Based Importance Sampling", 2007.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/bindings.h"
#include "shared/environment.h"
#include "environment/cube.glsl"
#include "environment/points.glsl"
#include "shade/brdf.glsl"

const uint kSamples = 64u;
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = kPassSet, binding = kBindEnvironmentSource) uniform samplerCube source;
layout(set = kPassSet, binding = kBindCubeTarget, rgba16f) uniform writeonly image2DArray target;
layout(push_constant) uniform Push { EnvironmentConstants constants; };

void main() {
    uvec3 texel = gl_GlobalInvocationID;
    if (any(greaterThanEqual(texel.xy, uvec2(constants.size)))) {
        return;
    }
    vec3 n = normalize(cube_direction(texel, constants.size));
    float alpha = ggx_alpha(float(constants.level + 1u) / float(constants.levels));
    vec3 right = normalize(cross(abs(n.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), n));
    vec3 above = cross(n, right);
    float texels = 6.0 * float(constants.source_size * constants.source_size);
    vec3 sum = vec3(0.0);
    float weights = 0.0;
    for (uint i = 0u; i < kSamples; ++i) {
        vec3 h = ggx_half_vector(hammersley(i, kSamples), alpha);
        float n_l = 2.0 * h.z * h.z - 1.0;
        if (n_l <= 0.0) {
            continue;
        }
        vec3 l = (right * h.x + above * h.y + n * h.z) * (2.0 * h.z) - n;
        // Of directions of light: a quarter of those of half vectors, whose density is distribution * cosine.
        float density = distribution_ggx(h.z, alpha) * 0.25;
        float level = 0.5 * log2(texels / (4.0 * kPi * float(kSamples) * density)) + 1.0;
        sum += textureLod(source, l, max(level, 0.0)).rgb * n_l;
        weights += n_l;
    }
    imageStore(target, ivec3(texel), vec4(sum / weights, 1.0));
}
