// Rejects triangles that cannot leave a fragment: outside a clip plane, facing away, or missing every pixel centre.
// Conservative: how a device rounds and snaps vertices to its subpixel grid is not specified, so each test must hold
// with every vertex moved by up to `margin` subpixels in x and in y; make_cull_viewport()
// (render/view/primitive_cull.h) says how large that is. Single-sampled rasterisation at pixel centres is assumed, and
// nothing about which samples on an edge are covered: they all count.
//
// C++ compiles this too (src/base/glsl.h), in the same float arithmetic. Tests prove it on the CPU, and hold a device's
// verdicts to it.

#include "shared/primitives.h"

// Clip codes. The planes are tested in homogeneous coordinates, as half spaces of clip space, so that they hold
// whatever the sign of w (after division by a negative w the codes of x and y would be swapped); a triangle whose three
// vertices share one lies wholly outside. The far plane is at infinity.
const uint kClipLeft = 1u;
const uint kClipRight = 2u;
const uint kClipTop = 4u;
const uint kClipBottom = 8u;
const uint kClipNear = 16u;
const uint kClipBehind = 32u;      // w <= 0: no window position
const uint kClipInaccurate = 64u;  // so far aside that window coordinates lose precision, or a guard band may clip
const uint kClipOutside = 63u;
// Any one of these on any vertex: the device may clip, and what it then rasterises has vertices that are not ours to
// know.
const uint kClipMayClip = kClipNear | kClipBehind | kClipInaccurate;

// Which way a visible triangle winds as seen, y pointing down.
const uint kWindingCounterClockwise = 0u;
const uint kWindingClockwise = 1u;
const uint kWindingBoth = 2u;

// A triangle whose widened bounding box holds up to this many pixel centres is tested against each. At most 16: up to
// there the edge functions of such a triangle are exact in float. 0 leaves this test out.
#ifndef PRIMITIVE_CULL_SAMPLES
#define PRIMITIVE_CULL_SAMPLES 4.0
#endif
const float kMaxSamplesTested = PRIMITIVE_CULL_SAMPLES;

// A viewport in subpixels: window = ndc * scale + bias, such that pixel centres fall on multiples of `subpixels`.
// Window coordinates count from kWindowOrigin, so that those of every vertex that has any lie between 2^23 and 2^24.
// There a float is an integer: the addition rounds to the subpixel grid (to nearest even), and the bits of coordinates,
// taken as integers, count subpixels one by one.
struct CullViewport {
    vec2 scale;      // 0.5 * size * subpixels
    vec2 bias;       // 0.5 * size * subpixels - 0.5 * subpixels + kWindowOrigin
    uint subpixels;  // per pixel: a power of two, at most 256
    float margin;    // subpixels that a device may move a vertex from its rounded position: an integer, at least 1
};

uint clip_code(vec4 clip) {
    uint code = 0u;
    code |= clip.x <= -clip.w ? kClipLeft : 0u;
    code |= clip.x >= clip.w ? kClipRight : 0u;
    code |= clip.y <= -clip.w ? kClipTop : 0u;
    code |= clip.y >= clip.w ? kClipBottom : 0u;
    code |= clip.z > clip.w ? kClipNear : 0u;  // reversed Z: nearer than the near plane
    code |= clip.w <= 0.0f ? kClipBehind : 0u;
    // So too when one is not a number.
    code |= all(lessThan(abs(vec2(clip)), vec2(1.5f * clip.w))) ? 0u : kClipInaccurate;
    return code;
}

// The vertex on the subpixel grid: integers from 2^23 to 2^24, in float, at a distance from both. Meaningless under
// kClipBehind and kClipInaccurate.
vec2 window_position(vec4 clip, CullViewport viewport) {
    precise float reciprocal = 1.0f / clip.w;
    precise vec2 ndc = vec2(clip) * reciprocal;
    precise vec2 window = fma(ndc, viewport.scale, viewport.bias);
    return window;
}

// A vertex as lanes hand it to each other. Sign and exponent of a window coordinate are always those of 2^23: the clip
// code takes the place of y's.
uvec2 pack_window(vec2 window, uint code) {
    return uvec2(floatBitsToUint(window.x), (floatBitsToUint(window.y) << 9u) | code);
}

vec2 unpack_window(uvec2 packed) {
    return uintBitsToFloat(uvec2(packed.x, (packed.y >> 9u) | 0x4b000000u));
}

// The code in its low 9 bits, as primitive_visible() takes it.
uint unpack_code(uvec2 packed) {
    return packed.y;
}

// Twice the signed area of the triangle (0, u, v). Not contracted: CPU and GPU must agree to the bit.
float cross2(vec2 u, vec2 v) {
    precise float p = u.x * v.y;
    precise float q = u.y * v.x;
    precise float r = p - q;
    return r;
}

// What cross2(b - a, s - a) = cross2(a - s, b - s) can grow by when a and b move by up to `margin` in x and in y, if it
// is more negative than that: to first order, each vertex adds its move's cross product with the arm to the other one.
// The product of the two moves is left out: where it helps at all, by 2 margin^2, an arm is so short that the growth of
// first order can't be had in full. (The most that moves to P, Q, R, S >= -margin can reach then starts from P S + Q R,
// and P S >= -margin max(|P|, |S|).)
float edge_slack(vec2 a, vec2 b, vec2 s, float margin) {
    vec2 arms = abs(a - s) + abs(b - s);
    return margin * (arms.x + arms.y);
}

// False only when the triangle, wound as a visible one is, misses the sample for every allowed position of its
// vertices. Exact for triangles a few pixels across.
bool may_cover(vec2 a, vec2 b, vec2 c, vec2 s, uint winding, float margin) {
    vec3 edges = vec3(cross2(b - a, s - a), cross2(c - b, s - b), cross2(a - c, s - c));
    vec3 slack = vec3(edge_slack(a, b, s, margin), edge_slack(b, c, s, margin), edge_slack(c, a, s, margin));
    bool clockwise = winding != kWindingCounterClockwise && all(greaterThanEqual(edges, -slack));
    bool counter_clockwise = winding != kWindingClockwise && all(lessThanEqual(edges, slack));
    return clockwise || counter_clockwise;
}

// True only when the triangle's area is zero or of the wrong sign for every allowed position of its vertices. To first
// order, moving them adds to twice the area at most margin times the L1 lengths of the three edges, which together are
// twice the width and height of the bounding box; terms of second order are left out for the reason above. Products
// below 2^23 are exact, and so is their difference. Above, in units of 2^-24: the two products are off by 2 of the
// larger one, slack, sum and difference by 4 of the slack; twice that is given.
bool faces_away(vec2 a, vec2 b, vec2 c, vec2 size, uint winding, float margin) {
    vec2 ab = b - a;
    vec2 ac = c - a;
    float area = cross2(ab, ac);  // positive: clockwise as seen
    precise float slack = 2.0f * margin * (size.x + size.y);
    precise float larger = max(abs(ab.x * ac.y), abs(ab.y * ac.x));
    precise float rounding = larger < 8388608.0f ? 0.0f : larger * (1.0f / 4194304.0f) + slack * (1.0f / 2097152.0f);
    precise float total = slack + rounding;
    return (winding == kWindingClockwise ? area : -area) < -total;
}

// The pixels whose centres a box in window coordinates can reach, vertices moved by the margin: first to last, none
// where last is less.
void pixel_bounds(vec2 low, vec2 high, CullViewport viewport, SUBLET_OUT(ivec2) first, SUBLET_OUT(ivec2) last) {
    int origin = floatBitsToInt(kWindowOrigin);
    int shift = findMSB(viewport.subpixels);
    first = ((floatBitsToInt(low - (viewport.margin + 1.0f)) - origin) >> shift) + 1;
    last = (floatBitsToInt(high + viewport.margin) - origin) >> shift;
}

// The tests in window coordinates: integers of subpixels from 2^23 to 2^24, whose differences are exact in float.
bool window_triangle_visible(vec2 a, vec2 b, vec2 c, uint winding, CullViewport viewport) {
    float margin = viewport.margin;
    vec2 low = min(min(a, b), c);
    vec2 high = max(max(a, b), c);

    // The widened bounding box holds no pixel centre: the subpixel just before it and its own last one are in the same
    // run of `subpixels` from one pixel centre to the next, and differ in no bit above.
    uvec2 before = floatBitsToUint(low - (margin + 1.0f));
    uvec2 end = floatBitsToUint(high + margin);
    if (any(lessThan(before ^ end, uvec2(viewport.subpixels)))) {
        return false;
    }
    if (winding != kWindingBoth && faces_away(a, b, c, high - low, winding, margin)) {
        return false;
    }

    // Few enough pixel centres to try each. One flat loop: the lanes of a subgroup then take as many turns as their
    // largest triangle.
    if (kMaxSamplesTested == 0.0f) {
        return true;
    }
    uint pixel = ~(viewport.subpixels - 1u);
    float step = float(viewport.subpixels);
    vec2 first = uintBitsToFloat((before & pixel) + viewport.subpixels);
    vec2 last = uintBitsToFloat(end & pixel);
    vec2 span = last - first + step;
    if (span.x * span.y > kMaxSamplesTested * step * step) {
        return true;
    }
    vec2 center = first;
    while (center.y <= last.y) {
        if (may_cover(a, b, c, center, winding, margin)) {
            return true;
        }
        center = center.x < last.x ? vec2(center.x + step, center.y) : vec2(first.x, center.y + step);
    }
    return false;
}

// False only when the triangle leaves no fragment. Window positions are read only when no code of kClipMayClip is set.
// What codes hold above their own bits is ignored.
bool primitive_visible(const vec2 window[3], const uint codes[3], uint winding, CullViewport viewport) {
    uint all_codes = codes[0] & codes[1] & codes[2];
    uint any_codes = codes[0] | codes[1] | codes[2];
    if ((all_codes & kClipOutside) != 0u) {
        return false;
    }
    if ((any_codes & kClipMayClip) != 0u) {
        return true;
    }
    return window_triangle_visible(window[0], window[1], window[2], winding, viewport);
}
