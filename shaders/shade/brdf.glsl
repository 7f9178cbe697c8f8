// What surfaces reflect: the lobes of glTF's materials. Directions are unit vectors away from the surface; n_l and n_v
// are cosines between the normal and the light's and the viewer's direction, above 0. After
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html, appendix B, but for the two sums below.
//
// C++ compiles this too (src/base/glsl.h).

const float kPi = 3.14159265358979f;

// Below it a highlight is smaller than a float's rounding of its half vector.
const float kLeastRoughness = 0.045f;

// Of roughness, GGX's width.
float ggx_alpha(float roughness) { return max(roughness, kLeastRoughness) * max(roughness, kLeastRoughness); }

// Microfacets that face `h`: B. Walter et al., "Microfacet Models for Refraction through Rough Surfaces", 2007. Per
// steradian.
float distribution_ggx(float n_h, float alpha) {
    float a = n_h * alpha;
    float k = alpha / max(1.0f - n_h * n_h + a * a, 1e-12f);
    return k * k / kPi;
}

// Shadowing and masking, correlated by height, over 4 n_l n_v: E. Heitz, "Understanding the Masking-Shadowing Function
// in Microfacet-Based BRDFs", 2014.
float visibility_ggx(float n_l, float n_v, float alpha) {
    float a = alpha * alpha;
    float l = n_v * sqrt(n_l * n_l * (1.0f - a) + a);
    float v = n_l * sqrt(n_v * n_v * (1.0f - a) + a);
    return 0.5f / max(l + v, 1e-12f);
}

// Microfacets that are wider spread along a tangent than across it: B. Burley, "Physically-Based Shading at Disney",
// 2012. Directions are in the frame of the tangent, the bitangent and the normal; `alpha`: GGX's width along the two.
float distribution_ggx_anisotropic(vec3 h, vec2 alpha) {
    float x = h.x / alpha.x;
    float y = h.y / alpha.y;
    float k = 1.0f / max(x * x + y * y + h.z * h.z, 1e-12f);
    return k * k / (kPi * alpha.x * alpha.y);
}

// As visibility_ggx(), after the same publication.
float visibility_ggx_anisotropic(vec3 to_light, vec3 to_viewer, vec2 alpha) {
    vec3 l = vec3(alpha.x * to_light.x, alpha.y * to_light.y, to_light.z);
    vec3 v = vec3(alpha.x * to_viewer.x, alpha.y * to_viewer.y, to_viewer.z);
    return 0.5f / max(to_viewer.z * sqrt(dot(l, l)) + to_light.z * sqrt(dot(v, v)), 1e-12f);
}

// The roughness at which microfacets that are the same all around reflect about as much: on the whole within 5 % of
// these; up to 37 % more along the surface, seen across a tangent that is much rougher (tests/unit/shade).
float even_roughness(vec2 alpha) { return sqrt(sqrt(0.5f * (alpha.x * alpha.x + alpha.y * alpha.y))); }

// Schlick's approximation: from f0 straight on to f90 along the surface.
vec3 fresnel(vec3 f0, vec3 f90, float v_h) {
    float x = clamp(1.0f - v_h, 0.0f, 1.0f);
    float x2 = x * x;
    return f0 + (f90 - f0) * (x2 * x2 * x);
}

// The share of light from all around that microfacets reflect, each once: `sums` are those of f0 and of f90
// (environment/reflectances.comp).
vec3 single_scattering(vec3 f0, vec3 f90, vec2 sums) { return f0 * sums.x + f90 * sums.y; }

// How much more comes back when light between microfacets is followed on, so that a surface that absorbs nothing
// reflects all: E. Turquin, "Practical multiple scattering compensation for microfacet models", 2019.
vec3 multiple_scattering(vec3 f0, vec2 sums) { return vec3(1.0f) + f0 * (1.0f / max(sums.x + sums.y, 1e-3f) - 1.0f); }

// Fibres that stand on a surface: A. Estevez and C. Kulla, "Production Friendly Microfacet Sheen BRDF", 2017.
float distribution_charlie(float n_h, float roughness) {
    float inverse = 1.0f / ggx_alpha(roughness);
    float squared = max(1.0f - n_h * n_h, 1e-6f);
    return (2.0f + inverse) * pow(squared, 0.5f * inverse) / (2.0f * kPi);
}

// M. Ashikhmin and S. Premoze, "Distribution-based BRDFs", 2007.
float visibility_charlie(float n_l, float n_v) { return 0.25f / max(n_l + n_v - n_l * n_v, 1e-6f); }

// Where what microfacets reflect towards `v` comes from, on the whole. Rough ones see little near the horizon and less
// below it: the lobe's mean turns from the mirrored direction towards the normal. By the square of the roughness it
// stays near: within 14 degrees at every angle, where the mirrored direction is up to 79 off (tests/unit/shade). Not of
// unit length.
vec3 lobe_direction(vec3 v, vec3 normal, float roughness) {
    vec3 mirrored = normal * (2.0f * dot(v, normal)) - v;
    return mirrored + (normal - mirrored) * (roughness * roughness);
}
