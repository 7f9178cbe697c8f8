// Holds a picture of the compute rasteriser to one of a graphics pipeline, a lane a pixel. They may differ in three
// ways, all of which follow from how a device snaps vertices and interpolates depth:
//   - the same triangle has a depth that differs by no more than depth_bound();
//   - edge: the centre lies so near an edge of one of the triangles, or where the near plane cuts it, that snapping may
//     move it to the other side;
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

// A triangle about a pixel's centre.
struct Near {
    float inside;  // pixels from the nearest edge to the centre, negative outside; where it is cut, from there too
    vec2 slope;    // of its depth, per pixel
    float cut;     // where the near plane cuts it: by how much of itself a device may round the w of the new corners
};

// Twice the areas that the centre makes with the triangle's edges, times the corners' w (shade/barycentric.glsl).
vec3 edges_at(vec4 clip[3], vec2 center) {
    vec2 a = clip[0].xy - center * clip[0].w;
    vec2 b = clip[1].xy - center * clip[1].w;
    vec2 c = clip[2].xy - center * clip[2].w;
    return vec3(b.x * c.y - b.y * c.x, c.x * a.y - c.y * a.x, a.x * b.y - a.y * b.x);
}

float depth_of(vec4 clip[3], vec3 e) {
    return dot(e, vec3(clip[0].z, clip[1].z, clip[2].z)) / dot(e, vec3(clip[0].w, clip[1].w, clip[2].w));
}

Near look_at(uvec2 id, ivec2 pixel) {
    Seen seen = seen_triangle(id);
    Sublet sublet = load_sublet(seen.instance, seen.sublet);
    uvec3 corners = sublet_triangle(sublet, seen.triangle);
    vec4 clip[3];
    for (uint i = 0u; i < 3u; ++i) {
        clip[i] = sublet_clip(sublet, corners[i]);
    }
    // Homogeneous: of about size 1, so that squares of products are floats whatever the scene's size.
    vec4 largest = max(max(abs(clip[0]), abs(clip[1])), abs(clip[2]));
    float scale = max(max(largest.x, largest.y), largest.w);
    for (uint i = 0u; i < 3u; ++i) {
        clip[i] /= scale;
    }
    vec2 step = 2.0 / vec2(constants.size);
    vec2 center = (vec2(pixel) + 0.5) * step - 1.0;
    vec3 e = edges_at(clip, center);
    vec3 e_x = edges_at(clip, center + vec2(step.x, 0.0)) - e;
    vec3 e_y = edges_at(clip, center + vec2(0.0, step.y)) - e;
    // Towards the inside, whichever way it winds: the sum of all is the area times w.
    float side = e.x + e.y + e.z < 0.0 ? -1.0 : 1.0;
    vec3 distance = side * e / max(sqrt(e_x * e_x + e_y * e_y), 1e-37);
    Near near;
    near.inside = min(min(distance.x, distance.y), distance.z);
    float depth = depth_of(clip, e);
    near.slope = vec2(depth_of(clip, e + e_x), depth_of(clip, e + e_y)) - depth;
    near.cut = 0.0;
    if (clip[0].z > clip[0].w || clip[1].z > clip[1].w || clip[2].z > clip[2].w) {
        // A device cuts an edge at a t that is off by 6u (u = 2^-24) of the edge, and rounds the corner by 2u more: by
        // 8u of the largest coordinate, which is 1. Where it is cut, w is z: the near plane's.
        near.cut = (1.0 / 2097152.0) / max(max(clip[0].z, clip[1].z), max(clip[2].z, 1e-37));
        // The near plane, where depth is 1, cuts it.
        near.inside = min(near.inside, (1.0 - depth) / max(length(near.slope), 1e-37));
    }
    return near;
}

// How much a device's depth of a triangle may differ from ours: its vertices may lie elsewhere, it may evaluate the
// plane of depths from the window's origin, and both divide and round. A corner on the near plane, of depth 1, is off
// by `cut`. It counts by its weight in the pixel, which is no more than the depth there.
float depth_bound(Near near, float depth) {
    vec2 slope = abs(near.slope);
    return constants.snap * (slope.x + slope.y) + dot(slope, vec2(constants.size)) * (1.0 / 4194304.0) +
           depth * (1.0 / 1048576.0 + near.cut);
}

// What a picture has at a pixel.
struct Shown {
    float depth;
    uvec2 id;
};

Shown drawn(ivec2 pixel, bool transmissive) {
    uint index = uint(pixel.y + (transmissive ? int(constants.size.y) : 0)) * constants.size.x + uint(pixel.x);
    return Shown(uintBitsToFloat(pixels[index].y), kWideIds ? wide_ids[index] : uvec2(pixels[index].x, 0u));
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
    float difference = abs(depth - other_depth);
    Near near;
    Near other_near;
    if (covered && kWideIds && id.y == kNoTriangle) {
        return kRasterWrong;
    }
    if (covered) {
        near = look_at(id, pixel);
    }
    if (covered && other_covered && id == other) {
        return difference <= depth_bound(near, depth) ? kRasterSame : kRasterWrong;
    }
    if (other_covered) {
        other_near = look_at(other, pixel);
    }
    bool both = covered && other_covered && near.inside >= -constants.snap && other_near.inside >= -constants.snap;
    if (both && difference <= depth_bound(near, depth) + depth_bound(other_near, other_depth)) {
        return kRasterDepth;
    }
    bool edge = (covered && abs(near.inside) <= constants.snap) ||
                (other_covered && abs(other_near.inside) <= constants.snap);
    return edge ? kRasterEdge : kRasterWrong;
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
