// Animation: what moves, as the pass "animate" reads it, and the arithmetic of a key frame, which the evaluator on the
// CPU (src/scene/animation.cpp) and the shader share. Both get the same bits wherever division and square root are
// rounded alike: nothing is fused, and there is no sine or arc tangent but the polynomials below.
#ifndef SUBLET_SHARED_ANIMATION_H
#define SUBLET_SHARED_ANIMATION_H

#include "types.h"

#ifdef __cplusplus
#include <cmath>
#define SUBLET_PRECISE
#else
#define SUBLET_PRECISE precise
#endif

SUBLET_SHARED_BEGIN

#ifdef __cplusplus
using std::abs;
using std::floor;
using std::sqrt;
#endif

// Of a channel: scene::Interpolation.
SUBLET_CONST uint kInterpolateLinear = 0u;
SUBLET_CONST uint kInterpolateStep = 1u;
SUBLET_CONST uint kInterpolateCubicSpline = 2u;

// What drives one property of one node: a lane samples it.
struct AnimationChannel {
    uint animation;  // its number in the list of times
    uint interpolation;
    uint key_count;    // 1 or more
    uint first_time;   // in the list of floats; the keys' times, then
    uint first_value;  // their values: 3 or 4 for each, three times as many for cubic splines
    uint components;   // 4: a rotation; of weights of morph targets, as many as there are
    uint target;       // among the vectors of a copy that are driven; not of weights
    uint reserved;
};

// A local transform of a chain: kLinkVectors vectors. Those that do not move lie first in the list of vectors; behind
// them, for each copy of the scene, those that a channel drives.
SUBLET_CONST uint kLinkVectors = 3u;           // translation, rotation, scale; or the rows of an affine matrix
SUBLET_CONST uint kLinkMatrix = 0x80000000u;   // the latter: it does not move
SUBLET_CONST uint kLinkMirrors = 0x40000000u;  // a matrix of negative determinant
SUBLET_CONST uint kLinkMask = 0x3fffffffu;     // its number among those of its kind

// An instance that moves: a lane multiplies the links of its chain, the root's first. One that may be invisible: a link
// is the number of a channel, and it is visible where all of them say so.
struct MovedInstance {
    uint instance;
    uint first_link;
    uint link_count;
    uint reserved;
};

// What drives a part of a material: a lane samples its channels and writes it.
struct MaterialDriver {
    uint kind;         // kDrive...
    uint target;       // the first word in the list of materials; of a transform, its number
    uint channels[3];  // numbers of them; kNotDriven: `still` has the value
    float still[5];    // of all of them, one behind the other
    uint reserved[2];
};
SUBLET_CONST uint kDriveNumbers = 0u;    // the first channel's, as many as it has
SUBLET_CONST uint kDriveEmission = 1u;   // a factor of three, and a strength
SUBLET_CONST uint kDriveTransform = 2u;  // of texture coordinates: two of an offset, a rotation, two of a scale
SUBLET_CONST uint kNotDriven = 0xffffffffu;

// What drives a light: a lane samples its channels, multiplies the chain of its node, and writes it.
struct LightDriver {
    uint light;       // its number
    uint kind;        // PunctualLight::kind
    uint first_link;  // of the chain
    uint link_count;  // 0: its node stands still
    // It shines where all of these channels say that it is visible: links that are their numbers.
    uint first_shown;
    uint shown_count;
    uint channels[5];  // of colour, intensity, range, inner and outer angle; kNotDriven: `still` has the value
    float still[7];    // of all of them, one behind the other
    uint reserved[2];
};

// Push constants of scene/animate_....comp.
struct AnimateConstants {
    uint count;         // channels, instances, joints, MorphWeights, MaterialDrivers or LightDrivers, of all copies
    uint per_copy;      // of these
    uint matrices;      // local transforms that do not move,
    uint driven;        // and those that do, of a copy
    uint animations;    // that play
    uint first_matrix;  // of joints: shared/deform.h
    uint first_weight;  // of morph targets, likewise,
    uint weights;       // and vectors of them, of a copy
};

SUBLET_CHECK_SIZE(AnimationChannel, 32);
SUBLET_CHECK_SIZE(MovedInstance, 16);
SUBLET_CHECK_SIZE(MaterialDriver, 48);
SUBLET_CHECK_SIZE(LightDriver, 80);

// Where `time` lies between two keys: 0 at the first, 1 at the second. 0 where they are so near or so far apart that
// floats can't tell.
SUBLET_FUNCTION float place_between(float time, float from, float to) {
    SUBLET_PRECISE float t = (time - from) / (to - from);
    return t > 0.0f ? (t < 1.0f ? t : 1.0f) : 0.0f;
}

// Of values at the keys around it: `t` from 0 to 1.
SUBLET_FUNCTION vec4 interpolate_linear(vec4 a, vec4 b, float t) {
    SUBLET_PRECISE vec4 r;
    SUBLET_PRECISE float s = 1.0f - t;
    r.x = a.x * s + b.x * t;
    r.y = a.y * s + b.y * t;
    r.z = a.z * s + b.z * t;
    r.w = a.w * s + b.w * t;
    return r;
}

// A cubic Hermite curve from `a`, which it leaves by `out_a`, to `b`, which it reaches by `in_b`; both per second, and
// `seconds` the time between.
SUBLET_FUNCTION vec4 interpolate_cubic(vec4 a, vec4 out_a, vec4 b, vec4 in_b, float t, float seconds) {
    SUBLET_PRECISE float t2 = t * t;
    SUBLET_PRECISE float t3 = t2 * t;
    SUBLET_PRECISE float of_a = 2.0f * t3 - 3.0f * t2 + 1.0f;
    SUBLET_PRECISE float of_out = seconds * (t3 - 2.0f * t2 + t);
    SUBLET_PRECISE float of_b = 3.0f * t2 - 2.0f * t3;
    SUBLET_PRECISE float of_in = seconds * (t3 - t2);
    SUBLET_PRECISE vec4 r;
    r.x = a.x * of_a + out_a.x * of_out + b.x * of_b + in_b.x * of_in;
    r.y = a.y * of_a + out_a.y * of_out + b.y * of_b + in_b.y * of_in;
    r.z = a.z * of_a + out_a.z * of_out + b.z * of_b + in_b.z * of_in;
    r.w = a.w * of_a + out_a.w * of_out + b.w * of_b + in_b.w * of_in;
    return r;
}

// A quaternion scaled to unit length; no rotation where it has none, or none that floats can tell.
SUBLET_FUNCTION vec4 unit_quaternion(vec4 q) {
    SUBLET_PRECISE vec4 r;
    SUBLET_PRECISE float sum = abs(q.x) + abs(q.y) + abs(q.z) + abs(q.w);
    if (!(sum > 1e-30f && sum < 1e30f)) {
        r.x = 0.0f;
        r.y = 0.0f;
        r.z = 0.0f;
        r.w = 1.0f;
        return r;
    }
    // By the sum first, so that no square overflows or vanishes.
    r.x = q.x / sum;
    r.y = q.y / sum;
    r.z = q.z / sum;
    r.w = q.w / sum;
    SUBLET_PRECISE float length = sqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    r.x = r.x / length;
    r.y = r.y / length;
    r.z = r.z / length;
    r.w = r.w / length;
    return r;
}

// sin(x) / x of the square of an x from 0 to pi / 2, within 2e-9 (M. Abramowitz and I. Stegun, "Handbook of
// Mathematical Functions", 4.3.97).
SUBLET_FUNCTION float sine_over_angle(float square) {
    SUBLET_PRECISE float r = -0.0000000239f;
    r = r * square + 0.0000027526f;
    r = r * square - 0.0001984090f;
    r = r * square + 0.0083333315f;
    r = r * square - 0.1666666664f;
    r = r * square + 1.0f;
    return r;
}

// atan(x) / x of the square of an x from 0 to 1, within 2e-8 (ibid., 4.4.49).
SUBLET_FUNCTION float angle_over_tangent(float square) {
    SUBLET_PRECISE float r = 0.0028662257f;
    r = r * square - 0.0161657367f;
    r = r * square + 0.0429096138f;
    r = r * square - 0.0752896400f;
    r = r * square + 0.1065626393f;
    r = r * square - 0.1420889944f;
    r = r * square + 0.1999355085f;
    r = r * square - 0.3333314528f;
    r = r * square + 1.0f;
    return r;
}

// cos(x) of the square of an x from 0 to pi / 2, within 2e-9 (ibid., 4.3.99).
SUBLET_FUNCTION float cosine_of_square(float square) {
    SUBLET_PRECISE float r = -0.0000002605f;
    r = r * square + 0.0000247609f;
    r = r * square - 0.0013888397f;
    r = r * square + 0.0416666418f;
    r = r * square - 0.4999999963f;
    r = r * square + 1.0f;
    return r;
}

// The sine (x) and cosine (y) of an angle, exact at 0; of more than some thousand turns they are of no use, but finite.
SUBLET_FUNCTION vec2 sine_and_cosine(float angle) {
    SUBLET_PRECISE float turned = angle * 0.63661977f + 0.5f;
    float quarters = floor(turned);
    // pi / 2 in three parts, of which the first two have few bits: their products lose none.
    SUBLET_PRECISE float rest = angle - quarters * 1.5703125f;
    rest = rest - quarters * 0.0004837512969970703f;
    rest = rest - quarters * 0.0000000754978995f;
    rest = rest < -1.0f ? -1.0f : (rest > 1.0f ? 1.0f : rest);
    SUBLET_PRECISE float square = rest * rest;
    SUBLET_PRECISE float s = rest * sine_over_angle(square);
    SUBLET_PRECISE float c = cosine_of_square(square);
    SUBLET_PRECISE float quarter = quarters - 4.0f * floor(quarters * 0.25f);
    vec2 r;
    r.x = quarter == 0.0f ? s : (quarter == 1.0f ? c : (quarter == 2.0f ? -s : -c));
    r.y = quarter == 0.0f ? c : (quarter == 1.0f ? -s : (quarter == 2.0f ? -c : s));
    return r;
}

// Spherical linear interpolation, the short way round; `a` and `b` of any length, the result of unit length.
SUBLET_FUNCTION vec4 interpolate_rotation(vec4 a, vec4 b, float t) {
    SUBLET_PRECISE vec4 p = unit_quaternion(a);
    SUBLET_PRECISE vec4 q = unit_quaternion(b);
    SUBLET_PRECISE float cosine = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    SUBLET_PRECISE float side = cosine < 0.0f ? -1.0f : 1.0f;
    q.x = q.x * side;
    q.y = q.y * side;
    q.z = q.z * side;
    q.w = q.w * side;
    // The tangent of half the angle is |p - q| / |p + q|, from 0 to 1, and small where the angle is. Weights are
    // quotients of sines: of sin(x) / x, so that nothing is divided by a sine that vanishes.
    SUBLET_PRECISE float apart =
        (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z) + (p.w - q.w) * (p.w - q.w);
    SUBLET_PRECISE float along =
        (p.x + q.x) * (p.x + q.x) + (p.y + q.y) * (p.y + q.y) + (p.z + q.z) * (p.z + q.z) + (p.w + q.w) * (p.w + q.w);
    SUBLET_PRECISE float tangent_square = apart / along;
    tangent_square = tangent_square < 1.0f ? tangent_square : 1.0f;
    SUBLET_PRECISE float half_angle = angle_over_tangent(tangent_square);
    SUBLET_PRECISE float square = 4.0f * tangent_square * half_angle * half_angle;  // of the angle
    SUBLET_PRECISE float s = 1.0f - t;
    SUBLET_PRECISE float whole = sine_over_angle(square);
    SUBLET_PRECISE float of_p = s * sine_over_angle(s * s * square) / whole;
    SUBLET_PRECISE float of_q = t * sine_over_angle(t * t * square) / whole;
    SUBLET_PRECISE vec4 r;
    r.x = p.x * of_p + q.x * of_q;
    r.y = p.y * of_p + q.y * of_q;
    r.z = p.z * of_p + q.z * of_q;
    r.w = p.w * of_p + q.w * of_q;
    return unit_quaternion(r);
}

SUBLET_SHARED_END
#endif
