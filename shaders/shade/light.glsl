// Light that falls on a surface and what of it goes to the viewer: a sun, punctual lights, and what comes from all
// around. The includer declares `environment`, `environment_source`, `reflectances` and `behind` (samplers),
// `irradiance`, kEnvironment, and environment_direction(), which turns a direction of the world into one of the
// environment; lights_here(), how many punctual lights may reach the point, light_here(), one of them by its place
// from 0 on, has_shadows(), and light_share(), for lights that have shadow maps.
//
// C++ compiles this too (tests/shading_twin.h).

#include "shade/brdf.glsl"
#include "shade/punctual.glsl"
#include "shade/thin_film.glsl"
#include "shade/transmission.glsl"
#include "shared/environment.h"
#include "shared/scene.h"

// What a material comes to at one point. Colours are linear.
struct Surface {
    vec3 position;  // in the world, where there are punctual lights
    vec3 normal;    // unit length, towards the side that is seen
    vec3 diffuse;  // albedo of what enters and comes back
    vec3 f0;       // reflectance straight on,
    vec3 f90;      // and along the surface
    vec3 emission;
    float roughness;
    float occlusion;  // the share of what comes from all around that arrives,
    float sun;        // and of the sun
    // With kFeatureClearcoat: a varnish over all, and how much of it; with kFeatureSheen: fibres over what lies below.
    vec3 clearcoat_normal;
    float clearcoat;
    float clearcoat_roughness;
    vec3 sheen;
    float sheen_roughness;
    Transmission transmission;  // with kFeatureTransmission
    // With kFeatureAnisotropy: how much rougher microfacets are along the tangent, which is a unit vector at a right
    // angle to the normal, there where this is not 0; with kFeatureIridescence: how much of a film there is.
    vec3 tangent;
    float anisotropy;
    float iridescence;
    float film_ior;
    float film_thickness;  // nanometres
};

// Of all around, what is seen in a direction over an angle (radians): by texels of the source that are as wide.
vec3 environment_radiance(vec3 direction, float angle) {
    float texels = angle * 0.5f * float(textureSize(environment_source, 0).x);
    return vec3(textureLod(environment_source, environment_direction(direction), log2(max(texels, 1.0f))));
}

// What microfacets of a roughness reflect, of lobe_direction(). Less rough than the first
// level is: between that and the source, by texels as wide as the lobe.
vec3 reflected_radiance(vec3 direction, float roughness) {
    float level = roughness * float(textureQueryLevels(environment));
    vec3 rough = vec3(textureLod(environment, environment_direction(direction), max(level - 1.0f, 0.0f)));
    if (level >= 1.0f) {
        return rough;
    }
    return mix(environment_radiance(direction, 2.0f * roughness * roughness), rough, level);
}

// On a surface of this normal. R. Ramamoorthi and P. Hanrahan, "An Efficient Representation for Irradiance Environment
// Maps", 2001; the coefficients are already those of irradiance.
vec3 environment_irradiance(vec3 normal) {
    vec3 n = environment_direction(normal);
    vec3 sum = vec3(irradiance[0]);
    sum += vec3(irradiance[1]) * n.y + vec3(irradiance[2]) * n.z + vec3(irradiance[3]) * n.x;
    sum += vec3(irradiance[4]) * (n.x * n.y) + vec3(irradiance[5]) * (n.y * n.z) +
           vec3(irradiance[6]) * (3.0f * n.z * n.z - 1.0f) + vec3(irradiance[7]) * (n.x * n.z) +
           vec3(irradiance[8]) * (n.x * n.x - n.y * n.y);
    return max(sum, vec3(0.0f));
}

// x, y: the sums of single_scattering(); z: the share of light from all around that white fibres reflect.
vec3 reflectances_at(float n_v, float roughness) {
    const float kSize = float(kReflectancesSize);
    // From the middle of the first row to that of the last.
    return vec3(textureLod(reflectances, vec2(n_v, (roughness * (kSize - 1.0f) + 0.5f) / kSize), 0.0f));
}

// Reflections reach into crevices less the rougher they are: S. Lagarde and C. de Rousiers, "Moving Frostbite to
// Physically Based Rendering", 2014.
float reflection_occlusion(float n_v, float occlusion, float roughness) {
    if (!has_feature(kFeatureOcclusionMap)) {
        return 1.0f;
    }
    return clamp(pow(n_v + occlusion, exp2(-16.0f * roughness - 1.0f)) - 1.0f + occlusion, 0.0f, 1.0f);
}

bool is_anisotropic(Surface s) { return has_feature(kFeatureAnisotropy) && s.anisotropy > 0.0f; }

// GGX's width along the tangent, and across it.
vec2 anisotropic_alpha(Surface s) {
    float alpha = ggx_alpha(s.roughness);
    return vec2(mix(alpha, 1.0f, s.anisotropy * s.anisotropy), alpha);
}

// `d` in the frame of the tangent, the bitangent and the normal.
vec3 tangent_space(Surface s, vec3 d) {
    return vec3(dot(s.tangent, d), dot(cross(s.normal, s.tangent), d), dot(s.normal, d));
}

// What microfacets, wherever they face, reflect from `l` to `v` at a reflectance of 1, over n_l.
float microfacets(Surface s, vec3 l, vec3 v, vec3 h, float n_l, float n_v) {
    if (is_anisotropic(s)) {
        vec2 alpha = anisotropic_alpha(s);
        vec3 to_light = vec3(vec2(tangent_space(s, l)), n_l);
        vec3 to_viewer = vec3(vec2(tangent_space(s, v)), n_v);
        return distribution_ggx_anisotropic(tangent_space(s, h), alpha) *
               visibility_ggx_anisotropic(to_light, to_viewer, alpha);
    }
    float alpha = ggx_alpha(s.roughness);
    return distribution_ggx(clamp(dot(s.normal, h), 0.0f, 1.0f), alpha) * visibility_ggx(n_l, n_v, alpha);
}

// Of a facet that is seen at an angle of this cosine.
vec3 facet_reflectance(Surface s, float v_h) {
    vec3 base = fresnel(s.f0, s.f90, v_h);
    if (has_feature(kFeatureIridescence) && s.iridescence > 0.0f) {
        base = mix(base, thin_film(v_h, s.f0, s.film_ior, s.film_thickness), s.iridescence);
    }
    return base;
}

// Facets along the tangent, each of which stands for a range of slopes: as a surface that is rough the same all around,
// as wide as the gap to the next, so that a small light makes a streak and no beads.
const uint kSlopes = 16u;

// What anisotropic microfacets mirror of all around.
vec3 anisotropic_radiance(Surface s, vec3 v, float n_v) {
    vec2 alpha = anisotropic_alpha(s);
    vec3 to_viewer = vec3(vec2(tangent_space(s, v)), n_v);
    float wider = sqrt(alpha.x * alpha.x - alpha.y * alpha.y);
    vec3 sum = vec3(0.0f);
    float weights = 0.0f;
    for (uint i = 0u; i < kSlopes; ++i) {
        // As many facets of GGX have a slope below as above.
        float part = (2.0f * float(i) + 1.0f) / float(kSlopes) - 1.0f;
        float cosine = sqrt(1.0f - part * part);
        vec3 h = normalize(vec3(wider * part / cosine, 0.0f, 1.0f));
        float v_h = dot(to_viewer, h);
        vec3 l = h * (2.0f * v_h) - to_viewer;
        if (v_h <= 0.0f || l.z <= 0.0f) {
            continue;
        }
        float weight = visibility_ggx_anisotropic(l, to_viewer, alpha) * l.z * v_h / h.z;
        float gap = 2.0f * wider / (float(kSlopes) * cosine * cosine * cosine);
        float roughness = min(sqrt(sqrt(alpha.y * alpha.y + gap * gap)), 1.0f);
        vec3 facet = s.tangent * h.x + s.normal * h.z;
        sum += reflected_radiance(lobe_direction(v, facet, roughness), roughness) * weight;
        weights += weight;
    }
    return sum / max(weights, 1e-12);
}

// What microfacets mirror of all around, at a reflectance of 1.
vec3 mirrored_radiance(Surface s, vec3 v, float n_v) {
    if (is_anisotropic(s)) {
        return anisotropic_radiance(s, v, n_v);
    }
    return reflected_radiance(lobe_direction(v, s.normal, s.roughness), s.roughness);
}

// How much of light from all around microfacets of a roughness reflect, and what its share `more` is that they reflect
// more than once: multiple_scattering(). `sums`: as in single_scattering().
vec3 reflected_share(Surface s, vec3 v, float roughness, vec2 sums, SUBLET_OUT(vec3) more) {
    vec3 once = single_scattering(s.f0, s.f90, sums);
    vec3 f0 = s.f0;
    if (has_feature(kFeatureIridescence) && s.iridescence > 0.0f) {
        // As the facets that mirror most.
        vec3 l = normalize(lobe_direction(v, s.normal, roughness));
        vec3 film = thin_film(dot(v, normalize(v + l)), s.f0, s.film_ior, s.film_thickness);
        once = mix(once, film * (sums.x + sums.y), s.iridescence);
        f0 = mix(f0, film, s.iridescence);
    }
    more = multiple_scattering(f0, sums);
    return once * more;
}

bool has_sheen(Surface s) { return has_feature(kFeatureSheen) && s.sheen != vec3(0.0f); }

bool has_clearcoat(Surface s) { return has_feature(kFeatureClearcoat) && s.clearcoat > 0.0f; }

const vec3 kClearcoatF0 = vec3(0.04f);

// How a surface is seen: what is the same for light from any direction.
struct Viewed {
    vec3 v;  // to the viewer
    float n_v;
    float clearcoat_n_v;
    vec3 diffuse;  // albedo of what is not reflected
    vec3 more;     // reflected_share()
};

// What comes of light from single directions, of each layer as if it were the uppermost.
struct Directed {
    vec3 base;
    vec3 fibres;
    vec3 varnish;
};

void add_directed(SUBLET_INOUT(Directed) sum, Surface s, Viewed viewed, Arriving light) {
    vec3 l = light.direction;
    vec3 h = normalize(l + viewed.v);
    float v_h = max(dot(viewed.v, h), 0.0f);
    float n_l = dot(s.normal, l);
    if (n_l > 0.0f) {
        float lobe = microfacets(s, l, viewed.v, h, n_l, viewed.n_v);
        vec3 reflection = facet_reflectance(s, v_h) * viewed.more * lobe;
        sum.base += light.irradiance * n_l * (viewed.diffuse * (1.0f / kPi) + reflection);
        if (has_sheen(s)) {
            float n_h = clamp(dot(s.normal, h), 0.0f, 1.0f);
            float fibres = distribution_charlie(n_h, s.sheen_roughness) * visibility_charlie(n_l, viewed.n_v);
            sum.fibres += light.irradiance * (n_l * fibres);
        }
    }
    float coat_n_l = has_clearcoat(s) ? dot(s.clearcoat_normal, l) : 0.0f;
    if (coat_n_l > 0.0f) {
        float alpha = ggx_alpha(s.clearcoat_roughness);
        float lobe = distribution_ggx(clamp(dot(s.clearcoat_normal, h), 0.0f, 1.0f), alpha) *
                     visibility_ggx(coat_n_l, viewed.clearcoat_n_v, alpha) * fresnel(kClearcoatF0, vec3(1.0f), v_h).x;
        sum.varnish += light.irradiance * (coat_n_l * lobe * s.clearcoat);
    }
}

// Whether light from there falls on any layer of it.
bool is_lit_from(Surface s, vec3 towards) {
    return dot(s.normal, towards) > 0.0f || (has_clearcoat(s) && dot(s.clearcoat_normal, towards) > 0.0f);
}

// The sun, then punctual lights.
Arriving arriving_light(FrameData frame, Surface s, uint number) {
    if (number != 0u) {
        return punctual_light(light_here(number - 1u), s.position);
    }
    Arriving sun;
    sun.direction = vec3(frame.sun_direction);
    sun.irradiance = vec3(frame.sun_color) * s.sun;
    sun.maps = 0u;
    return sun;
}

Directed directed_light(FrameData frame, Surface s, Viewed viewed) {
    Directed sum;
    sum.base = vec3(0.0f);
    sum.fibres = vec3(0.0f);
    sum.varnish = vec3(0.0f);
    uint lights = lights_here();
    for (uint i = 0u; i <= lights; ++i) {
        Arriving light = arriving_light(frame, s, i);
        if (light.irradiance != vec3(0.0f)) {
            if (has_shadows(kLightShadows) && light.maps != 0u && is_lit_from(s, light.direction)) {
                light.irradiance *= light_share(light.maps, light.direction, s.position);
            }
            add_directed(sum, s, viewed, light);
        }
    }
    return sum;
}

// Of fibres, and how much of what lies below them is left. `directed`: Directed::fibres.
vec3 shade_sheen(Surface s, Viewed viewed, vec3 directed, SUBLET_OUT(float) left) {
    float reflected = reflectances_at(viewed.n_v, s.sheen_roughness).z;
    left = 1.0f - max(s.sheen.x, max(s.sheen.y, s.sheen.z)) * reflected;
    vec3 sum = directed;
    if (kEnvironment) {
        sum += environment_irradiance(s.normal) * (reflected / kPi * s.occlusion);
    }
    return sum * s.sheen;
}

// Of a clear coat, and how much of what lies below it is left. `directed`: Directed::varnish.
vec3 shade_clearcoat(Surface s, Viewed viewed, vec3 directed, SUBLET_OUT(float) left) {
    vec2 sums = vec2(reflectances_at(viewed.clearcoat_n_v, s.clearcoat_roughness));
    float reflected = s.clearcoat * single_scattering(kClearcoatF0, vec3(1.0f), sums).x;
    left = 1.0f - reflected;
    vec3 sum = directed;
    if (kEnvironment) {
        float arrives = reflection_occlusion(viewed.clearcoat_n_v, s.occlusion, s.clearcoat_roughness);
        vec3 direction = lobe_direction(viewed.v, s.clearcoat_normal, s.clearcoat_roughness);
        sum += reflected_radiance(direction, s.clearcoat_roughness) * (reflected * arrives);
    }
    return sum;
}

// Radiance towards `v`.
vec3 shade_surface(FrameData frame, Surface s, vec3 v) {
    Viewed viewed;
    viewed.v = v;
    viewed.n_v = max(dot(s.normal, v), 1e-4);
    viewed.clearcoat_n_v = has_clearcoat(s) ? max(dot(s.clearcoat_normal, v), 1e-4f) : 1.0f;
    float roughness = is_anisotropic(s) ? even_roughness(anisotropic_alpha(s)) : s.roughness;
    vec2 sums = vec2(reflectances_at(viewed.n_v, roughness));
    vec3 reflected = reflected_share(s, v, roughness, sums, viewed.more);
    // What is not reflected enters.
    viewed.diffuse = s.diffuse * (vec3(1.0f) - reflected);

    vec3 sum = vec3(0.0f);
    if (has_feature(kFeatureTransmission) && s.transmission.share > 0.0f) {
        sum = viewed.diffuse * s.transmission.share *
              transmitted_radiance(frame, s.transmission, s.normal, s.roughness, v);
        viewed.diffuse *= 1.0f - s.transmission.share;
    }
    Directed directed = directed_light(frame, s, viewed);
    sum += directed.base;
    if (kEnvironment) {
        vec3 around = environment_irradiance(s.normal) * (1.0f / kPi) * s.occlusion;
        vec3 mirrored = mirrored_radiance(s, v, viewed.n_v);
        vec3 reflection = reflected * mirrored * reflection_occlusion(viewed.n_v, s.occlusion, roughness);
        sum += viewed.diffuse * around + reflection;
    }
    if (has_sheen(s)) {
        float left;
        vec3 fibres = shade_sheen(s, viewed, directed.fibres, left);
        sum = sum * left + fibres;
    }
    sum += s.emission;
    if (has_clearcoat(s)) {
        float left;
        vec3 varnish = shade_clearcoat(s, viewed, directed.varnish, left);
        sum = sum * left + varnish;
    }
    return sum;
}
