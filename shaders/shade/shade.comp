// Shades each pixel once: looks up the triangle whose id geometry left there (view/visibility_id.glsl), finds where on
// it the pixel's centre lies, and evaluates its material. One lane a pixel.
//
// Reads: ids, depth, the scene. Writes: colour, sRGB-encoded.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifndef FEW_TEXTURES
#extension GL_EXT_nonuniform_qualifier : require
#endif
#ifdef PIXELS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif

#include "shared/shade.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindColor, rgba8) uniform writeonly image2D colors;

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;

layout(push_constant) uniform Push { ShadeConstants constants; };

#include "shade/seen.glsl"
#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "shade/attributes.glsl"
#include "shade/barycentric.glsl"
#include "shade/textures.glsl"
#include "shade/material.glsl"
#include "thread_group_tiling.glsl"
#ifdef PIXELS
#include "backends/raster_triangle.glsl"
#endif

// A colour for a number, as different from its neighbours' as can be: the bits of the number, mixed (the finaliser of
// MurmurHash3, A. Appleby, public domain), as hue, and some of them as brightness.
vec3 false_color(uint number) {
    number = (number ^ number >> 16u) * 0x85ebca6bu;
    number = (number ^ number >> 13u) * 0xc2b2ae35u;
    number ^= number >> 16u;
    vec3 hue =
        clamp(abs(mod(float(number & 0xffffu) / 65536.0 * 6.0 + vec3(0.0, 4.0, 2.0), 6.0) - 3.0) - 1.0, 0.0, 1.0);
    float brightness = 0.45 + 0.55 * float(number >> 16u) / 65535.0;
    return mix(vec3(1.0), hue, 0.75) * brightness;
}

// How the triangle was drawn: green by a lane, blue by a workgroup, red cut by one; grey by a graphics pipeline.
vec3 path_color(vec4 clip[3]) {
#ifdef PIXELS
    CullViewport viewport = raster_viewport(constants.size);
    uint codes = 0u;
    ivec2 positions[3];
    for (uint i = 0u; i < 3u; ++i) {
        codes |= clip_code(clip[i]);
        positions[i] = raster_position(window_position(clip[i], viewport));
    }
    if ((codes & kClipMayClip) != 0u) {
        return vec3(0.9, 0.3, 0.2);
    }
    RasterTriangle t;
    make_raster_triangle(positions, float[3](0.0, 0.0, 0.0), kWindingBoth, ivec2(constants.size), t);
    return is_small(t, constants.raster_limit) ? vec3(0.2, 0.6, 0.3) : vec3(0.25, 0.4, 0.9);
#else
    return vec3(0.5);
#endif
}

// Not of light: as it is stored, 0 to 1.
vec3 debug_color(ivec2 pixel, Seen seen, vec4 clip[3], SurfacePoint point, Barycentrics at) {
    switch (constants.show) {
        case kShowInstances: return false_color(seen.instance);
        case kShowMeshlets: return false_color(seen.instance * 0x9e3779b9u + seen.sublet / kSubletsPerMeshlet);
        case kShowSublets: return false_color(first_sublets[seen.instance] + seen.sublet);
        case kShowTriangles:
            return false_color((first_sublets[seen.instance] + seen.sublet) * kSubletSize + seen.triangle);
        case kShowNormals: return 0.5 + 0.5 * point.normal;
        case kShowUv: return vec3(fract(point.uv), 0.0);
        case kShowBarycentrics: return at.weights;
        case kShowMaterials: return false_color(instances[seen.instance].flags >> kInstanceMaterialShift);
        case kShowPhase: return seen_in_phase_1(pixel) ? vec3(0.2, 0.6, 0.3) : vec3(0.9, 0.3, 0.2);
        case kShowPath: return path_color(clip);
    }
    return vec3(0.0);
}

// As it is stored, where a triangle is seen.
vec3 triangle_color(ivec2 pixel) {
    uvec2 id = id_seen(pixel);
    if (kWideIds && id.y == kNoTriangle) {
        return vec3(1.0, 0.0, 1.0);
    }
    Seen seen = seen_triangle(id);
    Sublet sublet = load_sublet(seen.instance, seen.sublet);
    uvec3 corners = sublet_triangle(sublet, seen.triangle);
    uint flags = instances[seen.instance].flags;
    Material material = materials[flags >> kInstanceMaterialShift];

    vec4 clip[3];
    vec3 planar[3];
    for (uint i = 0u; i < 3u; ++i) {
        clip[i] = vertex_clip(seen.instance, sublet_position(sublet, corners[i]));
        planar[i] = clip[i].xyw;
    }
    vec2 step = 2.0 / vec2(constants.size);
    vec2 center = fma(vec2(pixel) + 0.5, step, vec2(-1.0));
    Barycentrics at = barycentrics(planar, center, step);

    // By differences: what is equal at the corners is exact, and its gradients are zero. A corner at a time: attributes
    // of all three would take a GPU's registers, and it hides the latency of reads by having more pixels underway.
    VertexAttributes first = vertex_attributes(sublet, material, corners[0]);
    SurfacePoint point = SurfacePoint(first.normal, first.color.rgb, first.uv, vec2(0.0), vec2(0.0));
    for (uint i = 1u; i < 3u; ++i) {
        VertexAttributes vertex = vertex_attributes(sublet, material, corners[i]);
        vec2 uv = vertex.uv - first.uv;
        point.normal += at.weights[i] * (vertex.normal - first.normal);
        point.color += at.weights[i] * (vertex.color.rgb - first.color.rgb);
        point.uv += at.weights[i] * uv;
        point.uv_dx += at.dx[i] * uv;
        point.uv_dy += at.dy[i] * uv;
    }
    point.normal = unit_normal(point.normal);
    if ((flags & kInstanceClassMask) == kClassDoubleSided) {
        // Counter-clockwise as seen is the front; a mirrored instance's own front is the other one.
        bool front = (at.area < 0.0) != ((flags & kInstanceMirrored) != 0u);
        point.normal = front ? point.normal : -point.normal;
    }

    if (constants.show != kShowShaded) {
        return debug_color(pixel, seen, clip, point, at);
    }
    return srgb_encode(shade_material(frame, material, point));
}

void main() {
    uvec2 group = tiled_group_id(constants.group_tiling);
    ivec2 pixel = ivec2(group * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
    if (any(greaterThanEqual(uvec2(pixel), constants.size))) {
        return;
    }
    float depth = depth_seen(pixel);
    vec3 color = unpackUnorm4x8(constants.background).rgb;
    if (depth != 0.0) {
        // Most depths of a scene are near 0.
        color = constants.show == kShowDepth ? vec3(pow(depth, 0.25)) : triangle_color(pixel);
    }
    imageStore(colors, pixel, vec4(color, 1.0));
}
