// The colours of a thin film on a surface, as on soap bubbles: light that the film's upper and its lower side reflect
// adds up or cancels out, for each wavelength at another angle. After L. Belcour and P. Barla, "A Practical Extension
// to Microfacet Theory for the Modeling of Varying Iridescence", 2017, as KHR_materials_iridescence simplifies it:
// without polarisation, and with a base that absorbs nothing. The includer has included brdf.glsl.
//
// C++ compiles this too (src/base/glsl.h).

// Paths longer than this many nanometres interfere in no colour that an eye tells from grey.
const float kLongestPath = 20000.0f;

// What an eye makes of the sum of waves that come a path apart, in linear sRGB, for light that has as much of every
// wavelength: CIE XYZ as Gaussians over the inverse of the wavelength, whose Fourier transform the publication gives.
// `path`: in nanometres. (1.21, 0.95, 0.91) at 0, for such light is not sRGB's white; none where it is long.
vec3 interference(float path) {
    vec4 waves = path * vec4(1.6810e-3f, 1.7953e-3f, 2.2084e-3f, 2.2399e-3f);
    // Within half a turn, where Vulkan bounds a cosine's error.
    vec4 turns = waves - floor(waves + vec4(0.5f));
    vec4 lobes = vec4(0.8465900f, 1.0002219f, 1.0011225f, 0.1538683f) * cos(2.0f * kPi * turns) *
                 exp(path * path * vec4(-1.7085470e-7f, -3.6733088e-7f, -2.6103525e-7f, -1.7876617e-7f));
    float x = lobes.x + lobes.w;
    return vec3(3.2404542f * x - 1.5371385f * lobes.y - 0.4985314f * lobes.z,
                -0.9692660f * x + 1.8760108f * lobes.y + 0.0415560f * lobes.z,
                0.0556434f * x - 0.2040259f * lobes.y + 1.0572252f * lobes.z);
}

// What a surface reflects under a film in air. `v_h`: the cosine that it is seen at, of a facet; `f0`: what the surface
// would reflect in air, straight on; `ior`: the film's, at least 1; `thickness`: in nanometres. Of a film without
// thickness that is the surface's own reflection, but for the tint of interference(0). 0 to 1.
vec3 thin_film(float v_h, vec3 f0, float ior, float thickness) {
    float within = sqrt(max(1.0f - (1.0f - v_h * v_h) / (ior * ior), 0.0f));  // the cosine in the film
    // Amplitudes straight on; negative where light comes back from what is thinner. The base's index of refraction,
    // (1 + root) / (1 - root), is infinite at an f0 of 1: it stays a fraction.
    float outer = (ior - 1.0f) / (ior + 1.0f);
    vec3 root = sqrt(f0);
    vec3 thick = vec3(1.0f) + root;
    vec3 thin = ior * (vec3(1.0f) - root);
    vec3 inner = (thick - thin) / (thick + thin);
    float upper = fresnel(vec3(outer * outer), vec3(1.0f), v_h).x;
    vec3 lower = fresnel(inner * inner, vec3(1.0f), within);
    float entered = 1.0f - upper;
    // All that comes back out of the film, were there no waves.
    vec3 left = entered * entered * lower / max(vec3(1.0f) - upper * lower, vec3(1e-4f));
    // Once and twice more to and fro in the film. At the upper side it is turned by half a wave, coming from below; at
    // the lower one where the base is the thinner one.
    vec3 bounce = -sign(inner) * sqrt(upper * lower);
    float path = min(2.0f * ior * thickness * within, kLongestPath);
    vec3 waves = bounce * interference(path) + bounce * bounce * interference(2.0f * path);
    return clamp(vec3(upper) + left + (left - vec3(entered)) * (waves + waves), vec3(0.0f), vec3(1.0f));
}
