// Shades each pixel once: looks up the triangle whose id geometry left there (view/visibility_id.glsl), finds where on
// it the pixel's centre lies, and evaluates its material. One lane a pixel.
//
// With kSpecBehind: of what is not transmissive, the light that shade/transmission.glsl reads.
// With kSpecInspect: edges of triangles, the outline of what is selected, and what single pixels show.
//
// Reads: ids, depth, the scene; the pyramid and counts of triangles, where those are shown. Writes: colour,
// sRGB-encoded; Inspected; with kSpecExposure a histogram. With kSpecBehind: light.
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

#include "shared/exposure.h"
#include "shared/shade.h"
#include "shared/view_colors.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindColor, rgba8) uniform writeonly image2D colors;
layout(set = kPassSet, binding = kBindOverdraw) uniform sampler2D overdraw;
layout(set = kPassSet, binding = kBindPyramid, std430) readonly buffer Pyramid { float pyramid[]; };
layout(set = kPassSet, binding = kBindInspected, std430) buffer InspectedPixels { Inspected inspected; };
layout(set = kPassSet, binding = kBindEnvironment) uniform samplerCube environment;
layout(set = kPassSet, binding = kBindEnvironmentSource) uniform samplerCube environment_source;
layout(set = kPassSet, binding = kBindReflectances) uniform sampler2D reflectances;
layout(set = kPassSet, binding = kBindIrradiance, std140) uniform Irradiance { vec4 irradiance[9]; };
layout(set = kPassSet, binding = kBindBehind) uniform sampler2D behind;
layout(set = kPassSet, binding = kBindBehindTarget, rgba16f) uniform writeonly image2D behind_target;
layout(set = kPassSet, binding = kBindExposure, std430) buffer Exposure { ExposureState exposure_state; };

layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(constant_id = kSpecInspect) const bool kInspect = false;
layout(constant_id = kSpecEnvironment) const bool kEnvironment = false;
layout(constant_id = kSpecExposure) const bool kExposure = false;

layout(push_constant) uniform Push { ShadeConstants constants; };

#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "shade/attributes.glsl"
#include "shade/seen.glsl"
#include "shade/barycentric.glsl"
#include "shade/false_color.glsl"
#include "shade/textures.glsl"
#include "shade/light.glsl"
#include "shade/material.glsl"
#include "shade/tone.glsl"
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

// Where the pixel looks.
vec3 pixel_ray(ivec2 pixel) {
    vec2 at = fma(vec2(pixel) + 0.5, 2.0 / vec2(constants.size), vec2(-1.0));
    return frame.rays[0].xyz * at.x + frame.rays[1].xyz * at.y + frame.rays[2].xyz;
}

// The angle that a pixel with such a ray takes in, in radians.
float pixel_angle(vec3 ray) {
    vec2 sides = vec2(length(frame.rays[0].xyz), length(frame.rays[1].xyz)) * 2.0 / vec2(constants.size);
    return max(sides.x, sides.y) / length(ray);
}

// Light is multiplied by it.
float exposure() {
    return kExposure && exposure_state.exposure != 0.0 ? exposure_state.exposure : constants.exposure;
}

// A pixel in sixteen counts: many at a time would wait for each other.
void measure(ivec2 pixel, vec3 light) {
    float luminance = dot(light, vec3(0.2126, 0.7152, 0.0722));
    if (constants.measure == 0u || ((pixel.x | pixel.y) & 3) != 0 || !(luminance > 0.0)) {
        return;
    }
    float bin = (log2(luminance) - kExposureLeast) * float(kExposureBinsPerStop);
    atomicAdd(exposure_state.bins[uint(clamp(bin, 0.0, float(kExposureBins - 1u)))], 1u);
}

// Light as it is stored.
vec3 developed(ivec2 pixel, vec3 light) {
    if (kExposure) {
        measure(pixel, light);
    }
    vec3 color = light * exposure();
    switch (constants.tone) {
        case kToneNeutral: color = tone_neutral(color); break;
        case kToneAces: color = tone_aces(color); break;
    }
    return srgb_encode(color) + interleaved_noise(vec2(pixel)) / 255.0;
}

// Of a mesh without tangents: where the texture's u grows.
vec4 triangle_tangent(SeenPoint p, vec3 normal, vec2 to_second, vec2 to_third) {
    TriangleEdges edges = triangle_edges(p.sublet, p.corners);
    vec3 along = edges.to_second * to_third.y - edges.to_third * to_second.y;
    float turned = to_second.x * to_third.y - to_second.y * to_third.x;
    vec3 tangent = transform_direction(instances[p.seen.instance].transform, turned < 0.0 ? -along : along);
    tangent -= normal * dot(normal, tangent);
    float squared = dot(tangent, tangent);
    if (turned == 0.0 || squared == 0.0) {
        return vec4(0.0);
    }
    bool mirrored = (instances[p.seen.instance].flags & kInstanceMirrored) != 0u;
    return vec4(tangent * inversesqrt(squared), (turned < 0.0) != mirrored ? 1.0 : -1.0);
}

// The set of texture coordinates that a material's tangents follow: its normal maps', which glTF wants to share one, or
// its anisotropy's.
uint tangent_set(Material material) {
    TextureSlot slot = material.normal_texture;
    const uint kOthers = kFeatureClearcoatNormalMap | kFeatureAnisotropyMap;
    if (has_feature(kOthers) && slot.texture == kNoTexture && material.lobes != kNoLobes) {
        slot = lobes[material.lobes].clearcoat_normal_texture;
        if (slot.texture == kNoTexture) {
            slot = lobes[material.lobes].anisotropy_texture;
        }
    }
    return slot.place & kPlaceSecondSet;
}

SurfacePoint surface_point(SeenPoint p, Material material) {
    // By differences: what is equal at the corners is exact, and its gradients are zero. A corner at a time: attributes
    // of all three would take a GPU's registers, and it hides the latency of reads by having more pixels underway.
    VertexAttributes first = vertex_attributes(p.sublet, p.corners[0]);
    vec2 zeros[2] = vec2[2](vec2(0.0), vec2(0.0));
    SurfacePoint point = SurfacePoint(first.normal, first.tangent, false, first.color, first.uv, zeros, zeros,
                                      p.clip[0].xyw, instances[p.seen.instance].scale);
    uint along_set = tangent_set(material);
    vec2 sides[2] = zeros;
    for (uint i = 1u; i < 3u; ++i) {
        VertexAttributes vertex = vertex_attributes(p.sublet, p.corners[i]);
        point.normal += p.at.weights[i] * (vertex.normal - first.normal);
        point.tangent.xyz += p.at.weights[i] * (vertex.tangent.xyz - first.tangent.xyz);
        point.color += p.at.weights[i] * (vertex.color - first.color);
        point.clip += p.at.weights[i] * (p.clip[i].xyw - p.clip[0].xyw);
        for (uint set = 0u; set < 2u; ++set) {
            vec2 uv = vertex.uv[set] - first.uv[set];
            point.uv[set] += p.at.weights[i] * uv;
            point.uv_dx[set] += p.at.dx[i] * uv;
            point.uv_dy[set] += p.at.dy[i] * uv;
            sides[i - 1u] = set == along_set ? uv : sides[i - 1u];
        }
    }
    point.normal = has_normals(p.sublet) ? unit_normal(point.normal) : plane_normal(p.sublet, p.corners);
    if (has_feature(kAnyTangent)) {
        point.tangent = has_tangents(p.sublet) ? vec4(unit_normal(point.tangent.xyz), point.tangent.w)
                                               : triangle_tangent(p, point.normal, sides[0], sides[1]);
    }
    uint flags = instances[p.seen.instance].flags;
    // Counter-clockwise as seen is the front; a mirrored instance's own front is the other one.
    point.behind =
        (flags & kInstanceDoubleSided) != 0u && (p.at.area < 0.0) == ((flags & kInstanceMirrored) != 0u);
    return point;
}

// Not of light: as it is stored, 0 to 1.
vec3 debug_color(ivec2 pixel, SeenPoint p, Material material) {
    Seen seen = p.seen;
    switch (constants.show) {
        case kShowInstances: return false_color(seen.instance);
        case kShowMeshlets: return false_color(meshlet_number(seen.instance, seen.sublet / kSubletsPerMeshlet));
        case kShowSublets: return false_color(first_sublets[seen.instance] + seen.sublet);
        case kShowTriangles:
            return false_color((first_sublets[seen.instance] + seen.sublet) * kSubletSize + seen.triangle);
        case kShowBarycentrics: return p.at.weights;
        case kShowMaterials: return false_color(instances[seen.instance].flags >> kInstanceMaterialShift);
        case kShowPhase: return named_color(seen_in_phase_1(pixel) ? kColorPhase1 : kColorPhase2);
        case kShowPath: return named_color(path_color(p.clip));
        case kShowDensity: return named_color(kDensityColors[density_step(triangle_pixels(p.at))]);
    }
    SurfacePoint point = surface_point(p, material);
    switch (constants.show) {
        case kShowNormals: return 0.5 + 0.5 * shading_normal(material, point);
        case kShowUv: return vec3(fract(point.uv[0]), 0.0);
        case kShowBaseColor: return srgb_encode(base_color(material, point).rgb);
        case kShowMetallicRoughness: return vec3(0.0, metallic_roughness(material, point).yx);
        case kShowOcclusion: return vec3(occlusion(material, point));
        case kShowEmission: return srgb_encode(emission(material, point));
    }
    return vec3(0.0);
}

Material material_of(SeenPoint p) { return materials[instances[p.seen.instance].flags >> kInstanceMaterialShift]; }

// Of the triangle's surface.
vec3 triangle_light(ivec2 pixel, SeenPoint p) {
    Material material = material_of(p);
    return shade_material(frame, material, surface_point(p, material), -normalize(pixel_ray(pixel)));
}

bool is_lit() { return constants.show == kShowShaded || constants.show == kShowCulled; }

// As it is stored, of what is lit.
vec3 lit_color(ivec2 pixel, vec3 light) {
    vec3 color = developed(pixel, light);
    // What was rejected is drawn over it.
    return constants.show == kShowCulled ? mix(vec3(0.25), color, 0.2) : color;
}

// As it is stored, where a triangle is seen.
vec3 triangle_color(ivec2 pixel, SeenPoint p) {
    return is_lit() ? lit_color(pixel, triangle_light(pixel, p)) : debug_color(pixel, p, material_of(p));
}

// Most depths of a scene are near 0.
vec3 depth_color(float depth) {
    return vec3(pow(depth, 0.25));
}

// Of the pyramid, which may be of a window of another size: that of a frozen camera.
vec3 hiz_color(ivec2 pixel) {
    uvec2 texel = (uvec2(pixel) * constants.hiz_size / constants.size) >> constants.hiz_level;
    return depth_color(pyramid[constants.hiz_offset + texel.y * constants.hiz_pitch + texel.x]);
}

// From far away, where there is light all around.
vec3 environment_light(ivec2 pixel) {
    vec3 ray = pixel_ray(pixel);
    vec3 light = environment_radiance(ray, pixel_angle(ray));
    if (dot(normalize(ray), frame.sun_direction.xyz) >= frame.sun_direction.w) {
        light += frame.sun_color.rgb * frame.sun_color.w;
    }
    return light;
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
    if (kEnvironment && constants.show == kShowShaded && depth == 0.0) {
        return developed(pixel, has_layers() ? texelFetch(behind, pixel, 0).rgb : environment_light(pixel));
    }
    return unpackUnorm4x8(constants.background).rgb;
}

// What transmissive surfaces let through: all light but theirs.
void shade_behind(ivec2 pixel) {
    vec3 light = kEnvironment ? environment_light(pixel)
                              : srgb_decode(unpackUnorm4x8(constants.background).rgb) / exposure();
    if (depth_seen(pixel) != 0.0) {
        uvec2 id = id_seen(pixel);
        bool found = !kWideIds || id.y != kNoTriangle;
        light = found ? triangle_light(pixel, seen_point(pixel, id)) : srgb_decode(named_color(kColorNoTriangle));
    }
    const float most = 65504.0;  // of a half; the sun is brighter
    imageStore(behind_target, pixel, vec4(min(light, vec3(most)), 1.0));
}

void main() {
    uvec2 group = tiled_group_id(constants.group_tiling);
    ivec2 pixel = ivec2(group * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
    bool inside = all(lessThan(uvec2(pixel), constants.size));
    if (kBehind) {
        if (inside) {
            shade_behind(pixel);
        }
        return;
    }
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
    // What no transmissive surface covers is shaded already.
    bool shaded = has_layers() && is_lit() && !transmissive_seen(pixel);
    if (depth != 0.0 && shaded) {
        color = lit_color(pixel, texelFetch(behind, pixel, 0).rgb);
    }
    bool kept = plain || shaded;
    if (depth != 0.0 && (!kept || edges)) {
        uvec2 id = id_seen(pixel);
        if (kWideIds && id.y == kNoTriangle) {
            color = named_color(kColorNoTriangle);
        } else {
            SeenPoint p = seen_point(pixel, id);
            color = kept ? color : triangle_color(pixel, p);
            color = edges ? with_edges(color, p.at) : color;
        }
    }
    if (kInspect) {
        color = with_selection(color, pixel);
        inspect_pixel(pixel, depth);
    }
    imageStore(colors, pixel, vec4(color, 1.0));
}
