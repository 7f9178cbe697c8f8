// What is seen through a surface: light of what lies behind it, bent by its volume, blurred by its roughness, coloured
// on its way. After KHR_materials_transmission, KHR_materials_volume and KHR_materials_dispersion. One surface deep:
// what lies behind is what is not transmissive.
//
// The includer declares `behind`, a sampler: the light of that, each level half as fine (shade/behind_level.comp).
//
// C++ compiles this too (tests/shading_twin.h).

// Of a surface through which light comes.
struct Transmission {
    float share;      // of the light that enters, the share that goes through
    float thickness;  // in the world's units: how far the way through is; 0: a thin wall, which does not bend it
    float ior;        // index of refraction
    float spread;     // of it, from red to blue
    vec3 absorption;  // of light, a unit of length
    vec3 clip;        // x, y and w of the point in clip space
};

// Of the picture at a point of clip space, as a rough surface blurs it. A rougher one blurs more; one that hardly bends
// light hardly does: as the Khronos sample renderer has it, levels by the roughness and the picture's width.
vec3 behind_radiance(vec3 clip, float roughness, float ior) {
    float blur = roughness * clamp(2.0f * ior - 2.0f, 0.0f, 1.0f);
    vec2 at = vec2(0.5f) + vec2(clip) * (0.5f / max(clip.z, 1e-6f));
    return vec3(textureLod(behind, at, log2(float(textureSize(behind, 0).x)) * blur));
}

// Where light that goes to `v` comes out at the other side.
vec3 exit_point(FrameData frame, Transmission t, vec3 normal, vec3 v, float ior) {
    vec3 way = refract(-v, normal, 1.0f / ior) * t.thickness;
    vec4 step = vec4(way, 0.0f);
    return t.clip + vec3(dot(frame.view.clip[0], step), dot(frame.view.clip[1], step), dot(frame.view.clip[3], step));
}

// Radiance towards `v`, of all light that goes through.
vec3 transmitted_radiance(FrameData frame, Transmission t, vec3 normal, float roughness, vec3 v) {
    if (t.thickness == 0.0f) {
        return behind_radiance(t.clip, roughness, t.ior);
    }
    vec3 light;
    if (t.spread == 0.0f) {
        light = behind_radiance(exit_point(frame, t, normal, v, t.ior), roughness, t.ior);
    } else {
        for (int i = 0; i < 3; ++i) {
            float ior = max(t.ior + t.spread * (float(i) - 1.0f), 1.0f);
            light[i] = behind_radiance(exit_point(frame, t, normal, v, ior), roughness, ior)[i];
        }
    }
    return light * exp(-t.absorption * t.thickness);
}
