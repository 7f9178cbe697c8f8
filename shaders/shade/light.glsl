// Light that falls on a surface and what of it goes to the viewer: a sun, and what comes from all around. The includer
// declares `environment`, `environment_source` and `reflectances` (samplers), `irradiance` and kEnvironment.

#include "shade/brdf.glsl"
#include "shared/scene.h"

// What a material comes to at one point. Colours are linear.
struct Surface {
    vec3 normal;   // unit length, towards the side that is seen
    vec3 diffuse;  // albedo of what enters and comes back
    vec3 f0;       // reflectance straight on,
    vec3 f90;      // and along the surface
    vec3 emission;
    float roughness;
    float occlusion;  // the share of what comes from all around that arrives
    // With kFeatureClearcoat: a varnish over all, and how much of it; with kFeatureSheen: fibres over what lies below.
    vec3 clearcoat_normal;
    float clearcoat;
    float clearcoat_roughness;
    vec3 sheen;
    float sheen_roughness;
};

// Of all around, what is seen in a direction over an angle (radians): by texels of the source that are as wide.
vec3 environment_radiance(vec3 direction, float angle) {
    float texels = angle * 0.5 * float(textureSize(environment_source, 0).x);
    return textureLod(environment_source, direction, log2(max(texels, 1.0))).rgb;
}

// What microfacets of a roughness reflect, of lobe_direction(). Less rough than the first
// level is: between that and the source, by texels as wide as the lobe.
vec3 reflected_radiance(vec3 direction, float roughness) {
    float level = roughness * float(textureQueryLevels(environment));
    vec3 rough = textureLod(environment, direction, max(level - 1.0, 0.0)).rgb;
    if (level >= 1.0) {
        return rough;
    }
    return mix(environment_radiance(direction, 2.0 * roughness * roughness), rough, level);
}

// On a surface of this normal. R. Ramamoorthi and P. Hanrahan, "An Efficient Representation for Irradiance Environment
// Maps", 2001; the coefficients are already those of irradiance.
vec3 environment_irradiance(vec3 n) {
    vec3 sum = irradiance[0].rgb;
    sum += irradiance[1].rgb * n.y + irradiance[2].rgb * n.z + irradiance[3].rgb * n.x;
    sum += irradiance[4].rgb * (n.x * n.y) + irradiance[5].rgb * (n.y * n.z) +
           irradiance[6].rgb * (3.0 * n.z * n.z - 1.0) + irradiance[7].rgb * (n.x * n.z) +
           irradiance[8].rgb * (n.x * n.x - n.y * n.y);
    return max(sum, vec3(0.0));
}

// Reflections reach into crevices less the rougher they are: S. Lagarde and C. de Rousiers, "Moving Frostbite to
// Physically Based Rendering", 2014.
float reflection_occlusion(float n_v, float occlusion, float roughness) {
    return clamp(pow(n_v + occlusion, exp2(-16.0 * roughness - 1.0)) - 1.0 + occlusion, 0.0, 1.0);
}

// Of fibres, and how much of what lies below them is left.
vec3 shade_sheen(FrameData frame, Surface s, vec3 v, out float left) {
    float n_v = max(dot(s.normal, v), 1e-4);
    float reflected = textureLod(reflectances, vec2(n_v, s.sheen_roughness), 0.0).z;
    left = 1.0 - max(s.sheen.x, max(s.sheen.y, s.sheen.z)) * reflected;
    vec3 sum = vec3(0.0);
    vec3 l = frame.sun_direction.xyz;
    float n_l = dot(s.normal, l);
    if (n_l > 0.0) {
        float n_h = clamp(dot(s.normal, normalize(l + v)), 0.0, 1.0);
        sum = frame.sun_color.rgb * (n_l * distribution_charlie(n_h, s.sheen_roughness) * visibility_charlie(n_l, n_v));
    }
    if (kEnvironment) {
        sum += environment_irradiance(s.normal) * (reflected / kPi * s.occlusion);
    }
    return sum * s.sheen;
}

// Of a clear coat of f0 0.04, and how much of what lies below it is left.
vec3 shade_clearcoat(FrameData frame, Surface s, vec3 v, out float left) {
    const vec3 f0 = vec3(0.04);
    float n_v = max(dot(s.clearcoat_normal, v), 1e-4);
    vec2 sums = textureLod(reflectances, vec2(n_v, s.clearcoat_roughness), 0.0).xy;
    float reflected = s.clearcoat * single_scattering(f0, vec3(1.0), sums).x;
    left = 1.0 - reflected;
    vec3 sum = vec3(0.0);
    vec3 l = frame.sun_direction.xyz;
    float n_l = dot(s.clearcoat_normal, l);
    if (n_l > 0.0) {
        vec3 h = normalize(l + v);
        float alpha = ggx_alpha(s.clearcoat_roughness);
        float lobe = distribution_ggx(clamp(dot(s.clearcoat_normal, h), 0.0, 1.0), alpha) *
                     visibility_ggx(n_l, n_v, alpha) * fresnel(f0, vec3(1.0), max(dot(v, h), 0.0)).x;
        sum = frame.sun_color.rgb * (n_l * lobe * s.clearcoat);
    }
    if (kEnvironment) {
        float arrives = reflection_occlusion(n_v, s.occlusion, s.clearcoat_roughness);
        vec3 direction = lobe_direction(v, s.clearcoat_normal, s.clearcoat_roughness);
        sum += reflected_radiance(direction, s.clearcoat_roughness) * (reflected * arrives);
    }
    return sum;
}

// Radiance towards `v`.
vec3 shade_surface(FrameData frame, Surface s, vec3 v) {
    float n_v = max(dot(s.normal, v), 1e-4);
    float alpha = ggx_alpha(s.roughness);
    vec2 sums = textureLod(reflectances, vec2(n_v, s.roughness), 0.0).xy;
    vec3 more = multiple_scattering(s.f0, sums);
    vec3 reflected = single_scattering(s.f0, s.f90, sums) * more;
    // What is not reflected enters.
    vec3 diffuse = s.diffuse * (1.0 - reflected);

    vec3 sum = vec3(0.0);
    vec3 l = frame.sun_direction.xyz;
    float n_l = dot(s.normal, l);
    if (n_l > 0.0) {
        vec3 h = normalize(l + v);
        float lobe = distribution_ggx(clamp(dot(s.normal, h), 0.0, 1.0), alpha) * visibility_ggx(n_l, n_v, alpha);
        vec3 reflection = fresnel(s.f0, s.f90, max(dot(v, h), 0.0)) * more * lobe;
        sum += frame.sun_color.rgb * n_l * (diffuse * (1.0 / kPi) + reflection);
    }
    if (kEnvironment) {
        vec3 around = environment_irradiance(s.normal) * (1.0 / kPi) * s.occlusion;
        vec3 mirrored = reflected_radiance(lobe_direction(v, s.normal, s.roughness), s.roughness);
        sum += diffuse * around + reflected * mirrored * reflection_occlusion(n_v, s.occlusion, s.roughness);
    }
    if (has_feature(kFeatureSheen) && s.sheen != vec3(0.0)) {
        float left;
        vec3 fibres = shade_sheen(frame, s, v, left);
        sum = sum * left + fibres;
    }
    sum += s.emission;
    if (has_feature(kFeatureClearcoat) && s.clearcoat > 0.0) {
        float left;
        vec3 varnish = shade_clearcoat(frame, s, v, left);
        sum = sum * left + varnish;
    }
    return sum;
}
