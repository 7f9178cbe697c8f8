// Shades each pixel once: looks up the triangle whose id geometry left there (view/visibility_id.glsl), finds where on
// it the pixel's centre lies, and evaluates its material. One lane a pixel.
//
// With kSpecInspect: edges of triangles, the outline of what is selected, and what single pixels show.
//
// Reads: ids, depth, the scene; the pyramid and counts of triangles, where those are shown. Writes: colour,
// sRGB-encoded; Inspected.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#ifndef FEW_TEXTURES
#extension GL_EXT_nonuniform_qualifier : require
#endif
#ifdef PIXELS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif

#include "shared/shade.h"
#include "shared/view_colors.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindColor, rgba8) uniform writeonly image2D colors;
layout(set = kPassSet, binding = kBindOverdraw) uniform sampler2D overdraw;
layout(set = kPassSet, binding = kBindPyramid, std430) readonly buffer Pyramid { float pyramid[]; };
layout(set = kPassSet, binding = kBindInspected, std430) buffer InspectedPixels { Inspected inspected; };

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(constant_id = kSpecInspect) const bool kInspect = false;

layout(push_constant) uniform Push { ShadeConstants constants; };

#include "shade/seen.glsl"
#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "shade/attributes.glsl"
#include "shade/barycentric.glsl"
#include "shade/false_color.glsl"
#include "shade/textures.glsl"
#include "shade/material.glsl"
#include "shade/covered.glsl"
#include "shade/inspect.glsl"
#include "thread_group_tiling.glsl"
#ifdef PIXELS
#include "backends/raster_triangle.glsl"
#endif

// How the triangle was drawn: by a lane, by a workgroup, cut by one; by a graphics pipeline.
uint path_color(vec4 clip[3]) {
#ifdef PIXELS
    CullViewport viewport = raster_viewport(constants.size);
    uint codes = 0u;
    ivec2 positions[3];
    for (uint i = 0u; i < 3u; ++i) {
        codes |= clip_code(clip[i]);
        positions[i] = raster_position(window_position(clip[i], viewport));
    }
    if ((codes & kClipMayClip) != 0u) {
        return kColorPathCut;
    }
    RasterTriangle t;
    make_raster_triangle(positions, float[3](0.0, 0.0, 0.0), kWindingBoth, ivec2(constants.size), t);
    return is_small(t, constants.raster_limit) ? kColorPathLane : kColorPathGroup;
#else
    return kColorPathGraphics;
#endif
}

// A point of a triangle, where a pixel sees it.
struct SeenPoint {
    Seen seen;
    Sublet sublet;
    uvec3 corners;
    vec4 clip[3];
    Barycentrics at;
};

SeenPoint seen_point(ivec2 pixel, uvec2 id) {
    SeenPoint p;
    p.seen = seen_triangle(id);
    p.sublet = load_sublet(p.seen.instance, p.seen.sublet);
    p.corners = sublet_triangle(p.sublet, p.seen.triangle);
    vec3 planar[3];
    for (uint i = 0u; i < 3u; ++i) {
        p.clip[i] = vertex_clip(p.seen.instance, sublet_position(p.sublet, p.corners[i]));
        planar[i] = p.clip[i].xyw;
    }
    vec2 step = 2.0 / vec2(constants.size);
    vec2 center = fma(vec2(pixel) + 0.5, step, vec2(-1.0));
    p.at = barycentrics(planar, center, step);
    return p;
}

// Not of light: as it is stored, 0 to 1.
vec3 debug_color(ivec2 pixel, SeenPoint p, SurfacePoint point) {
    Seen seen = p.seen;
    switch (constants.show) {
        case kShowInstances: return false_color(seen.instance);
        case kShowMeshlets: return false_color(meshlet_number(seen.instance, seen.sublet / kSubletsPerMeshlet));
        case kShowSublets: return false_color(first_sublets[seen.instance] + seen.sublet);
        case kShowTriangles:
            return false_color((first_sublets[seen.instance] + seen.sublet) * kSubletSize + seen.triangle);
        case kShowNormals: return 0.5 + 0.5 * point.normal;
        case kShowUv: return vec3(fract(point.uv), 0.0);
        case kShowBarycentrics: return p.at.weights;
        case kShowMaterials: return false_color(instances[seen.instance].flags >> kInstanceMaterialShift);
        case kShowPhase: return named_color(seen_in_phase_1(pixel) ? kColorPhase1 : kColorPhase2);
        case kShowPath: return named_color(path_color(p.clip));
        case kShowDensity: return named_color(kDensityColors[density_step(triangle_pixels(p.at))]);
    }
    return vec3(0.0);
}

// As it is stored, where a triangle is seen.
vec3 triangle_color(ivec2 pixel, SeenPoint p) {
    uint flags = instances[p.seen.instance].flags;
    Material material = materials[flags >> kInstanceMaterialShift];

    // By differences: what is equal at the corners is exact, and its gradients are zero. A corner at a time: attributes
    // of all three would take a GPU's registers, and it hides the latency of reads by having more pixels underway.
    VertexAttributes first = vertex_attributes(p.sublet, material, p.corners[0]);
    SurfacePoint point = SurfacePoint(first.normal, first.color.rgb, first.uv, vec2(0.0), vec2(0.0));
    for (uint i = 1u; i < 3u; ++i) {
        VertexAttributes vertex = vertex_attributes(p.sublet, material, p.corners[i]);
        vec2 uv = vertex.uv - first.uv;
        point.normal += p.at.weights[i] * (vertex.normal - first.normal);
        point.color += p.at.weights[i] * (vertex.color.rgb - first.color.rgb);
        point.uv += p.at.weights[i] * uv;
        point.uv_dx += p.at.dx[i] * uv;
        point.uv_dy += p.at.dy[i] * uv;
    }
    point.normal = unit_normal(point.normal);
    if ((flags & kInstanceClassMask) == kClassDoubleSided) {
        // Counter-clockwise as seen is the front; a mirrored instance's own front is the other one.
        bool front = (p.at.area < 0.0) != ((flags & kInstanceMirrored) != 0u);
        point.normal = front ? point.normal : -point.normal;
    }

    if (constants.show != kShowShaded && constants.show != kShowCulled) {
        return debug_color(pixel, p, point);
    }
    vec3 color = srgb_encode(shade_material(frame, material, point));
    // What was rejected is drawn over it.
    return constants.show == kShowCulled ? mix(vec3(0.25), color, 0.2) : color;
}

// Most depths of a scene are near 0.
vec3 depth_color(float depth) { return vec3(pow(depth, 0.25)); }

// Of the pyramid, which may be of a window of another size: that of a frozen camera.
vec3 hiz_color(ivec2 pixel) {
    uvec2 texel = (uvec2(pixel) * constants.hiz_size / constants.size) >> constants.hiz_level;
    return depth_color(pyramid[constants.hiz_offset + texel.y * constants.hiz_pitch + texel.x]);
}

// What does not depend on a triangle; the background elsewhere.
vec3 plain_color(ivec2 pixel, float depth) {
    if (constants.show == kShowDepth && depth != 0.0) {
        return depth_color(depth);
    }
    if (constants.show == kShowHiz) {
        return hiz_color(pixel);
    }
    if (constants.show == kShowOverdraw) {
        uint triangles = uint(texelFetch(overdraw, pixel, 0).x);
        if (triangles != 0u) {
            return named_color(kOverdrawColors[overdraw_step(triangles)]);
        }
    }
    return unpackUnorm4x8(constants.background).rgb;
}

void main() {
    uvec2 group = tiled_group_id(constants.group_tiling);
    ivec2 pixel = ivec2(group * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
    bool inside = all(lessThan(uvec2(pixel), constants.size));
    if (kCount) {
        count_covered(inside && depth_seen(pixel) != 0.0);
    }
    if (!inside) {
        return;
    }
    float depth = depth_seen(pixel);
    vec3 color = plain_color(pixel, depth);
    bool plain = constants.show == kShowDepth || constants.show == kShowHiz || constants.show == kShowOverdraw;
    bool edges = kInspect && (constants.inspect & kInspectWireframe) != 0u;
    if (depth != 0.0 && (!plain || edges)) {
        uvec2 id = id_seen(pixel);
        if (kWideIds && id.y == kNoTriangle) {
            color = named_color(kColorNoTriangle);
        } else {
            SeenPoint p = seen_point(pixel, id);
            color = plain ? color : triangle_color(pixel, p);
            color = edges ? with_edges(color, p.at) : color;
        }
    }
    if (kInspect) {
        color = with_selection(color, pixel);
        inspect_pixel(pixel, depth);
    }
    imageStore(colors, pixel, vec4(color, 1.0));
}
