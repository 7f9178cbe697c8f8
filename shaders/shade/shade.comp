// Shades each pixel once: looks up the triangle whose id geometry left there (view/visibility_id.glsl), finds where on
// it the pixel's centre lies, and evaluates its material. One lane a pixel.
//
// Where the scene has transmissive surfaces, a first run, with kSpecBehind, shades all others: their light, which
// shade/transmission.glsl reads, and the picture of them where no transmissive one is nearer. The second run then
// shades those that are.
//
// With kSpecInspect: edges of triangles, the outline of what is selected, and what single pixels show.
//
// Reads: ids, depth, the scene; the pyramid and counts of triangles, where those are shown. Writes: colour,
// sRGB-encoded; Inspected; with kSpecExposure a histogram; with kSpecBehind light; with kToneKeep light as it is seen.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#ifndef FEW_TEXTURES
#extension GL_EXT_nonuniform_qualifier : require
#endif
#include "shared/exposure.h"
#include "shared/shade.h"
#include "shared/view_colors.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindColor, rgba8) uniform image2D colors;
layout(set = kPassSet, binding = kBindSum, rgba32f) uniform writeonly image2D light_target;
layout(set = kPassSet, binding = kBindShown) uniform sampler2D shown;
layout(set = kPassSet, binding = kBindPyramid, std430) readonly buffer Pyramid { float pyramid[]; };
layout(set = kPassSet, binding = kBindInspected, std430) buffer InspectedPixels { Inspected inspected; };
layout(set = kPassSet, binding = kBindEnvironment) uniform samplerCube environment;
layout(set = kPassSet, binding = kBindEnvironmentSource) uniform samplerCube environment_source;
layout(set = kPassSet, binding = kBindReflectances) uniform sampler2D reflectances;
layout(set = kPassSet, binding = kBindIrradiance, std140) uniform Irradiance { vec4 irradiance[9]; };
layout(set = kPassSet, binding = kBindBehind) uniform sampler2D behind;
layout(set = kPassSet, binding = kBindBehindTarget, rgba16f) uniform writeonly image2D behind_target;
layout(set = kPassSet, binding = kBindExposure, std430) buffer Exposure { ExposureState exposure_state; };

layout(set = kPassSet, binding = kBindTransmissiveTiles, std430) buffer Tiles {
    TransmissiveTiles listed;
    uint listed_words[];
};

layout(local_size_x = kShadeTile, local_size_y = kShadeTile) in;
layout(constant_id = kSpecWideIds) const bool kWideIds = false;
layout(constant_id = kSpecInspect) const bool kInspect = false;
layout(constant_id = kSpecEnvironment) const bool kEnvironment = false;
layout(constant_id = kSpecBehind) const bool kBehind = false;  // its kFeatures know nothing of transmission
layout(constant_id = kSpecExposure) const bool kExposure = false;

layout(push_constant) uniform Push { ShadeConstants constants; };

#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "shade/attributes.glsl"
#include "shade/seen.glsl"
#include "shade/barycentric.glsl"
#include "shade/false_color.glsl"
#include "shade/seen_point.glsl"
#include "shade/textures.glsl"
vec3 environment_direction(vec3 d) {
    vec2 turn = frame.environment.xy;
    return vec3(d.x * turn.x - d.z * turn.y, d.y, d.z * turn.x + d.x * turn.y);
}
#include "shade/light.glsl"
#include "shade/material.glsl"
#include "shade/surface_point.glsl"
#include "shade/tone.glsl"
#include "shade/covered.glsl"
#include "shade/inspect.glsl"
#include "thread_group_tiling.glsl"
#include "backends/raster_grid.glsl"

// How the triangle was drawn: by a lane, by a workgroup, cut by one; by a graphics pipeline.
uint path_color(vec4 clip[3]) {
    if (!kPixels) {
        return kColorPathGraphics;
    }
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
    place_corners(positions, ivec2(constants.size), t);
    return is_small(t, constants.raster_limit) ? kColorPathLane : kColorPathGroup;
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

void keep_light(ivec2 pixel, vec3 exposed) { imageStore(light_target, pixel, vec4(exposed, 1.0)); }

// Light as it is stored.
vec3 developed(ivec2 pixel, vec3 light) {
    if (kExposure) {
        measure(pixel, light);
    }
    vec3 color = light * exposure();
    switch (constants.tone) {
        case kToneNeutral: color = tone_neutral(color); break;
        case kToneAces: color = tone_aces(color); break;
        case kToneKeep: keep_light(pixel, color); break;
    }
    return srgb_encode(color) + interleaved_noise(vec2(pixel)) / 255.0;
}

Material material_of(SeenPoint p) { return materials[instances[p.seen.instance].flags >> kInstanceMaterialShift]; }

// Not of light: as it is stored, 0 to 1.
vec3 debug_color(ivec2 pixel, uvec2 id) {
    if (kWideIds && id.y == kNoTriangle) {
        return named_color(kColorNoTriangle);
    }
    SeenPoint p = seen_point(pixel, id);
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
    Material material = material_of(p);
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

// Of the triangle's surface.
vec3 triangle_light(ivec2 pixel, SeenPoint p) {
    Material material = material_of(p);
    return shade_material(frame, material, surface_point(p, material), -normalize(pixel_ray(pixel)));
}

bool is_lit() { return constants.show == kShowShaded || constants.show == kShowCulled; }

// As it is stored, of a pixel that is lit. `covered`: by a triangle; others show light from all around, if there is
// any.
vec3 lit_color(ivec2 pixel, vec3 light, bool covered) {
    bool sky = kEnvironment && constants.show == kShowShaded;
    if (!covered && !sky) {
        vec3 background = unpackUnorm4x8(constants.background).rgb;
        if (constants.tone == kToneKeep) {
            keep_light(pixel, srgb_decode(background));
        }
        return background;
    }
    vec3 color = developed(pixel, light);
    // What was rejected is drawn over it.
    return covered && constants.show == kShowCulled ? mix(vec3(0.25), color, 0.2) : color;
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

// What is seen far away of light from all around, as microfacets of a roughness mirror it towards a viewer straight
// above. The sun is smaller than their lobe; the last factor makes its mean over all directions 1, within 2 %, as the
// filter's is (environment/filter.comp).
vec3 blurred_environment(vec3 direction, float roughness) {
    vec3 light = reflected_radiance(direction, roughness);
    float n_l = dot(direction, frame.sun_direction.xyz);
    if (n_l > 0.0) {
        float alpha = ggx_alpha(roughness);
        float density = 0.25 * distribution_ggx(sqrt(0.5 + 0.5 * n_l), alpha);
        float weight = n_l * (1.0 + alpha * (0.75 + alpha * 2.25));
        light += frame.sun_color.rgb * (min(density, frame.sun_color.w) * weight);
    }
    return light;
}

// From far away, where there is light all around.
vec3 environment_light(ivec2 pixel) {
    vec3 ray = pixel_ray(pixel);
    if (frame.environment.z > 0.0) {
        return blurred_environment(normalize(ray), frame.environment.z);
    }
    vec3 light = environment_radiance(ray, pixel_angle(ray));
    if (dot(normalize(ray), frame.sun_direction.xyz) >= frame.sun_direction.w) {
        light += frame.sun_color.rgb * frame.sun_color.w;
    }
    return light;
}

vec3 background_light(ivec2 pixel) {
    return kEnvironment ? environment_light(pixel) : srgb_decode(unpackUnorm4x8(constants.background).rgb) / exposure();
}

// Of the triangle that has this id; where none was found, what becomes the colour of that.
vec3 light_of(ivec2 pixel, uvec2 id) {
    bool found = !kWideIds || id.y != kNoTriangle;
    return found ? triangle_light(pixel, seen_point(pixel, id)) : srgb_decode(named_color(kColorNoTriangle));
}

// All but transmissive surfaces.
void shade_behind(ivec2 pixel) {
    bool covered = layer_depth(pixel, false) != 0.0;
    vec3 light = covered ? light_of(pixel, layer_id(pixel, false)) : background_light(pixel);
    const float most = 65504.0;  // of a half; the sun is brighter
    imageStore(behind_target, pixel, vec4(min(light, vec3(most)), 1.0));
    if (!transmissive_nearer(pixel)) {
        imageStore(colors, pixel, vec4(lit_color(pixel, light, covered), 1.0));
    }
}

// With kInspectWireframe: edges of triangles, of whatever is shown.
vec3 with_wireframe(vec3 color, ivec2 pixel, float depth) {
    if ((constants.inspect & kInspectWireframe) == 0u || depth == 0.0) {
        return color;
    }
    uvec2 id = id_seen(pixel);
    return kWideIds && id.y == kNoTriangle ? color : with_edges(color, seen_point(pixel, id).at);
}

// Views that look up no triangle.
bool shows_values() {
    return constants.show == kShowDepth || constants.show == kShowHiz || constants.show == kShowOverdraw ||
           constants.show == kShowMotion;
}
vec3 value_color(ivec2 pixel, float depth) {
    if (constants.show == kShowHiz) {
        return hiz_color(pixel);
    }
    if (constants.show == kShowMotion) {
        return motion_color(texelFetch(shown, pixel, 0).xy);
    }
    if (constants.show == kShowDepth && depth != 0.0) {
        return depth_color(depth);
    }
    uint triangles = constants.show == kShowOverdraw ? uint(texelFetch(shown, pixel, 0).x) : 0u;
    return triangles != 0u ? named_color(kOverdrawColors[overdraw_step(triangles)])
                           : unpackUnorm4x8(constants.background).rgb;
}

// As it is stored, whatever is shown.
vec3 seen_color(ivec2 pixel, float depth) {
    bool covered = depth != 0.0;
    if (shows_values()) {
        return value_color(pixel, depth);
    }
    if (!is_lit()) {
        return covered ? debug_color(pixel, id_seen(pixel)) : unpackUnorm4x8(constants.background).rgb;
    }
    if (has_layers() && !transmissive_seen(pixel)) {
        return imageLoad(colors, pixel).rgb;  // of the first run
    }
    return lit_color(pixel, covered ? light_of(pixel, id_seen(pixel)) : background_light(pixel), covered);
}

uvec2 picture_tiles() { return (constants.size + kShadeTile - 1u) / kShadeTile; }

shared uint group_transmissive;

// Of a workgroup's tile, by all of its lanes together: for the second run. A list for each row, since many groups that
// count in one word wait for each other.
void list_tile(uvec2 tile, bool transmissive) {
    if (gl_LocalInvocationIndex == 0u) {
        group_transmissive = 0u;
    }
    barrier();
    if (transmissive) {
        group_transmissive = 1u;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u && group_transmissive != 0u) {
        uvec2 all = picture_tiles();
        uint index = atomicAdd(listed_words[tile.y], 1u);
        listed_words[all.y + tile.y * all.x + index] = tile.x;
        if (index % kTileStep == 0u) {
            atomicMax(listed.groups.x, index + kTileStep);
        }
    }
}

// The second run is launched for listed tiles alone, unless it looks at every pixel.
bool takes_listed_tiles() { return !kBehind && !kInspect && has_layers() && is_lit(); }

void main() {
    uvec2 tile;
    if (takes_listed_tiles()) {
        uvec2 group = gl_WorkGroupID.xy;
        if (group.x >= listed_words[group.y]) {
            return;
        }
        uvec2 all = picture_tiles();
        tile = uvec2(listed_words[all.y + group.y * all.x + group.x], group.y);
    } else {
        tile = tiled_group_id(constants.group_tiling);
    }
    ivec2 pixel = ivec2(tile * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
    bool inside = all(lessThan(uvec2(pixel), constants.size));
    // Of two runs the first one counts.
    if (kCount && (kBehind || !has_layers() || !is_lit())) {
        count_covered(inside && (kBehind ? nearer_depth(pixel) : depth_seen(pixel)) != 0.0);
    }
    if (kBehind) {
        list_tile(tile, inside && transmissive_nearer(pixel));
        if (inside) {
            shade_behind(pixel);
        }
        return;
    }
    if (!inside) {
        return;
    }
    if (takes_listed_tiles() && !transmissive_seen(pixel)) {
        return;
    }
    float depth = depth_seen(pixel);
    vec3 color = seen_color(pixel, depth);
    if (kInspect) {
        color = with_wireframe(color, pixel, depth);
        color = with_selection(color, pixel);
        inspect_pixel(pixel, depth);
    }
    imageStore(colors, pixel, vec4(color, 1.0));
}
