// Holds a picture of the compute rasteriser to one of a graphics pipeline, a lane a pixel. They may differ in three
// ways, all of which follow from how a device snaps vertices and interpolates depth:
//   - the same triangle has a depth that differs by no more than Near::depth_error;
//   - edge: the centre lies so near an edge of one of the triangles, or where the near plane cuts it, that snapping, or
//     the rounding of corners where it is cut, may move it to the other side;
//   - depth: both triangles have the pixel, and their depths differ by no more than their bounds.
// Anything else is wrong. Where there are transmissive surfaces, it is of what lies behind and of what is seen.
//
// Reads: both pictures, the scene. Writes: a verdict for each pixel.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/raster_difference.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindIds) uniform usampler2D ids;
layout(set = kPassSet, binding = kBindDepth) uniform sampler2D depths;
layout(set = kPassSet, binding = kBindTransmissiveIds) uniform usampler2D transmissive_ids;
layout(set = kPassSet, binding = kBindTransmissiveDepth) uniform sampler2D transmissive_depths;
layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { uvec2 pixels[]; };
layout(set = kPassSet, binding = kBindWideIds, std430) readonly buffer WideIds { uvec2 wide_ids[]; };
layout(set = kPassSet, binding = kBindVerdicts, std430) writeonly buffer Verdicts { uint verdicts[]; };

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push { RasterDifferenceConstants constants; };
layout(constant_id = kSpecWideIds) const bool kWideIds = false;

#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"

// Where a triangle is seen from close by and reaches far, what a pixel shows of it is a small difference of large
// numbers: floats would leave nothing of it.
#ifdef DOUBLES
#define Real double
#define Real2 dvec2
#define Real3 dvec3
#define Real4 dvec4
#else
#define Real float
#define Real2 vec2
#define Real3 vec3
#define Real4 vec4
#endif

// Where the view's sides or the near plane cut a triangle, both pictures show one with other corners. A corner where an
// edge from `a` to `b` is cut is a + t * (b - a). An error of t moves it along the edge and leaves the triangle in its
// plane. The three operations round each of x, y and w by u = 2^-24 of what they give: together by 5u of the largest of
// the triangle's clip coordinates, as |b - a| is twice that at most. Each of five planes adds as much, and a point of
// the triangle moves no further than its corners do. Both pictures come to 50u.
const Real kCutError = Real(50.0 / 16777216.0);

// A triangle about a pixel's centre.
struct Near {
    bool covers;       // the pixel, or it may
    bool edge;         // it may cover it or not
    Real depth_error;  // how far the depth that a picture has of it there may be from another's
};

Near look_at(uvec2 id, ivec2 pixel, float shown_depth) {
    Seen seen = seen_triangle(id);
    Sublet sublet = load_sublet(seen.instance, seen.sublet);
    uvec3 corners = sublet_triangle(sublet, seen.triangle);
    Real4 clip[3];
    for (uint i = 0u; i < 3u; ++i) {
        clip[i] = Real4(sublet_clip(sublet, corners[i]));
    }
    // Homogeneous: of about size 1, so that squares of products are numbers whatever the scene's size.
    Real4 largest = max(max(abs(clip[0]), abs(clip[1])), abs(clip[2]));
    Real scale = max(max(largest.x, largest.y), largest.w);
    bool cut = false;
    bool near_cut = false;
    for (uint i = 0u; i < 3u; ++i) {
        clip[i] /= scale;
        near_cut = near_cut || clip[i].z > clip[i].w;
        cut = cut || near_cut || max(abs(clip[i].x), abs(clip[i].y)) > clip[i].w;
    }
    Real cut_error = cut ? kCutError : Real(0.0);

    Real2 step = Real2(2.0) / Real2(constants.size);
    Real2 center = (Real2(pixel) + Real(0.5)) * step - Real(1.0);
    // Twice the areas that the centre makes with the triangle's edges, times the corners' w (shade/barycentric.glsl),
    // and how they change from pixel to pixel.
    Real2 a[3];
    for (uint i = 0u; i < 3u; ++i) {
        a[i] = clip[i].xy - center * clip[i].w;
    }
    Real3 e;
    Real3 e_x;
    Real3 e_y;
    Real3 length_in_clip;  // of each edge, as it lies about the centre
    for (uint i = 0u; i < 3u; ++i) {
        uint j = (i + 1u) % 3u;
        uint k = (i + 2u) % 3u;
        e[i] = a[j].x * a[k].y - a[j].y * a[k].x;
        e_x[i] = (a[j].y * clip[k].w - clip[j].w * a[k].y) * step.x;
        e_y[i] = (clip[j].w * a[k].x - a[j].x * clip[k].w) * step.y;
        length_in_clip[i] = length(a[j] - a[k]);
    }
    Real whole = e.x + e.y + e.z;
    // Towards the inside, whichever way it winds: the sum is the area times w.
    Real3 inside = whole < Real(0.0) ? -e : e;
    // How far an edge may lie elsewhere: snapped, or with cut corners, whose x and y, less the centre's times their w,
    // are off by twice the error each.
    Real3 moved = Real(constants.snap) * sqrt(e_x * e_x + e_y * e_y) + Real(2.83) * cut_error * length_in_clip;
    Near near;
    near.covers = all(greaterThanEqual(inside, -moved));
    near.edge = near.covers && any(lessThanEqual(inside, moved));

    Real3 z = Real3(clip[0].z, clip[1].z, clip[2].z);
    Real3 w = Real3(clip[0].w, clip[1].w, clip[2].w);
    Real w_there = dot(e, w) / whole;
    Real z_there = dot(e, z) / whole;
    Real depth = dot(e, z) / dot(e, w);
    Real2 slope = abs(Real2(dot(e + e_x, z) / dot(e + e_x, w), dot(e + e_y, z) / dot(e + e_y, w)) - depth);
    if (near_cut) {
        // Where depth is 1, w - z is 0. Errors of t count there too: 5u of an edge.
        Real beyond = w_there - z_there;
        Real line_moved = Real(constants.snap) * length(slope) * abs(w_there) + Real(4.0) * cut_error;
        near.covers = near.covers && beyond >= -line_moved;
        near.edge = near.covers && (near.edge || beyond <= line_moved);
    }
    // Vertices may lie elsewhere, the plane of depths may be evaluated from the window's origin, and both pictures
    // divide and round.
    near.depth_error = Real(constants.snap) * (slope.x + slope.y) +
                       dot(slope, Real2(constants.size)) * Real(1.0 / 4194304.0) +
                       Real(shown_depth) * Real(1.0 / 1048576.0);
    if (cut) {
        // A side of the view where it is cut is an edge too, at the picture's border.
        Real2 from_border = (Real(1.0) - abs(center)) * w_there;
        near.edge = near.edge || (near.covers && min(from_border.x, from_border.y) <= Real(4.0) * cut_error);
        // What is seen has moved by so many pixels, and its depth is a quotient by another w. Where that is much of the
        // depth or of w, it is no bound: anything may be seen.
        Real by_cut = (dot(slope, Real2(constants.size)) + Real(2.0) * depth) * cut_error / max(w_there, Real(1e-37));
        bool bounded = w_there > Real(2.0) * cut_error && by_cut < Real(0.5) * depth;
        near.depth_error += bounded ? Real(2.0) * by_cut : Real(1.0);
    }
    return near;
}

// What a picture has at a pixel.
struct Shown {
    float depth;
    uvec2 id;
};

Shown drawn(ivec2 pixel, bool transmissive) {
    uint index = uint(pixel.y + (transmissive ? int(constants.size.y) : 0)) * constants.size.x + uint(pixel.x);
    return Shown(uintBitsToFloat(pixels[index].y >> 2u), kWideIds ? wide_ids[index] : uvec2(pixels[index].x, 0u));
}

Shown reference(ivec2 pixel, bool transmissive) {
    float depth = transmissive ? texelFetch(transmissive_depths, pixel, 0).x : texelFetch(depths, pixel, 0).x;
    uvec2 id = transmissive ? texelFetch(transmissive_ids, pixel, 0).xy : texelFetch(ids, pixel, 0).xy;
    return Shown(depth, uvec2(id.x, kWideIds ? id.y : 0u));
}

Shown nearer(Shown transmissive, Shown other) {
    if (transmissive.depth > other.depth) {
        return transmissive;
    }
    return other;
}

uint verdict(ivec2 pixel, Shown ours, Shown theirs) {
    float depth = ours.depth;
    uvec2 id = ours.id;
    float other_depth = theirs.depth;
    uvec2 other = theirs.id;
    bool covered = depth != 0.0;
    bool other_covered = other_depth != 0.0;
    if (!covered && !other_covered) {
        return kRasterSame;
    }
    Real difference = abs(Real(depth) - Real(other_depth));
    Near near;
    Near other_near;
    near.covers = near.edge = other_near.covers = other_near.edge = false;
    if (covered && kWideIds && id.y == kNoTriangle) {
        return kRasterWrong;
    }
    if (covered) {
        near = look_at(id, pixel, depth);
    }
    if (covered && other_covered && id == other) {
        return difference <= near.depth_error ? kRasterSame : kRasterWrong;
    }
    if (other_covered) {
        other_near = look_at(other, pixel, other_depth);
    }
    if (near.covers && other_near.covers && difference <= near.depth_error + other_near.depth_error) {
        return kRasterDepth;
    }
    return near.edge || other_near.edge ? kRasterEdge : kRasterWrong;
}

void main() {
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(uvec2(pixel), constants.size))) {
        Shown ours = drawn(pixel, false);
        Shown theirs = reference(pixel, false);
        uint worst = verdict(pixel, ours, theirs);
        if (constants.layers > 1u) {
            Shown seen = nearer(drawn(pixel, true), ours);
            worst = max(worst, verdict(pixel, seen, nearer(reference(pixel, true), theirs)));
        }
        verdicts[uint(pixel.y) * constants.size.x + uint(pixel.x)] = worst;
    }
}
