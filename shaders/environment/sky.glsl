// A clear sky: the sun's light scattered by air, dust and the ground. The model and its numbers are those of
// S. Hillaire, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", 2020. Kilometres; lengths of
// light red, green and blue. Radiance is per irradiance of a surface that faces the sun above the air.

const float kGroundRadius = 6360.0;
const float kAirRadius = 6460.0;
const float kEyeHeight = 0.2;
const vec3 kGroundAlbedo = vec3(0.3);

const vec3 kRayleigh = vec3(5.802e-3, 13.558e-3, 33.1e-3);  // scattered per km, at the ground
const float kMieScattered = 3.996e-3;
const float kMieExtinct = 4.44e-3;
const vec3 kOzone = vec3(0.650e-3, 1.881e-3, 0.085e-3);  // absorbed where it is densest

struct Air {
    vec3 rayleigh;
    float mie;
    vec3 extinction;
};

Air air_at(float height) {
    float rayleigh = exp(-height / 8.0);
    float mie = exp(-height / 1.2);
    float ozone = max(0.0, 1.0 - abs(height - 25.0) / 15.0);
    return Air(kRayleigh * rayleigh, kMieScattered * mie,
               kRayleigh * rayleigh + vec3(kMieExtinct * mie) + kOzone * ozone);
}

// From `at`, relative to the planet's centre, along `direction` until a sphere about the centre; negative where it is
// missed.
float to_sphere(vec3 at, vec3 direction, float radius, bool leaving) {
    float b = dot(at, direction);
    float d = radius * radius - (dot(at, at) - b * b);
    if (d < 0.0) {
        return -1.0;
    }
    return leaving ? -b + sqrt(d) : -b - sqrt(d);
}

// The share of light that passes from outside of the air to `at`; none where the ground is in the way.
vec3 transmittance(vec3 at, vec3 direction) {
    if (to_sphere(at, direction, kGroundRadius, false) > 0.0) {
        return vec3(0.0);
    }
    const int kSteps = 8;
    float way = to_sphere(at, direction, kAirRadius, true);
    vec3 depth = vec3(0.0);
    float before = 0.0;
    for (int i = 0; i < kSteps; ++i) {
        // Steps grow with the way, as the air thins.
        float next = way * float((i + 1) * (i + 1)) / float(kSteps * kSteps);
        vec3 p = at + direction * (0.5 * (before + next));
        depth += air_at(length(p) - kGroundRadius).extinction * (next - before);
        before = next;
    }
    return exp(-depth);
}

float rayleigh_phase(float cosine) { return 3.0 / (16.0 * 3.14159265) * (1.0 + cosine * cosine); }
// Cornette and Shanks, forward by 0.8.
float mie_phase(float cosine) {
    const float g = 0.8;
    float k = 3.0 / (8.0 * 3.14159265) * (1.0 - g * g) / (2.0 + g * g);
    return k * (1.0 + cosine * cosine) / pow(1.0 + g * g - 2.0 * g * cosine, 1.5);
}

// A ray through the air, or to the ground: what it brings of light that was scattered once by air or ground, and, of
// what is scattered without a direction, `scattered_more` tells how much arrives at a height.
#ifndef SKY_MORE
#define SKY_MORE(height) vec3(0.0)
#endif
struct SkyRay {
    vec3 light;
    vec3 scattered;  // the share of it that air scatters on its way
};
SkyRay sky_ray(vec3 at, vec3 direction, vec3 sun, bool directed, int steps) {
    float way = to_sphere(at, direction, kGroundRadius, false);
    bool ground = way > 0.0;
    if (!ground) {
        way = to_sphere(at, direction, kAirRadius, true);
    }
    float cosine = dot(direction, sun);
    float rayleigh = directed ? rayleigh_phase(cosine) : 1.0 / (4.0 * 3.14159265);
    float mie = directed ? mie_phase(cosine) : 1.0 / (4.0 * 3.14159265);
    SkyRay ray = SkyRay(vec3(0.0), vec3(0.0));
    vec3 passed = vec3(1.0);
    float before = 0.0;
    for (int i = 0; i < steps; ++i) {
        float next = way * float((i + 1) * (i + 1)) / float(steps * steps);
        vec3 p = at + direction * (0.5 * (before + next));
        float height = length(p) - kGroundRadius;
        Air air = air_at(height);
        vec3 scattering = air.rayleigh + vec3(air.mie);
        vec3 source = (air.rayleigh * rayleigh + vec3(air.mie * mie)) * transmittance(p, sun) +
                      scattering * SKY_MORE(height);
        vec3 step = exp(-air.extinction * (next - before));
        vec3 gathered = passed * (1.0 - step) / air.extinction;
        ray.light += gathered * source;
        ray.scattered += gathered * scattering;
        passed *= step;
        before = next;
    }
    if (ground) {
        vec3 p = at + direction * way;
        vec3 up = normalize(p);
        ray.light += passed * kGroundAlbedo / 3.14159265 * max(dot(up, sun), 0.0) * transmittance(p + up * 0.01, sun);
    }
    return ray;
}
