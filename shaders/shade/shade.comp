// Shades each pixel once: looks up the triangle whose id geometry left there (view/visibility_id.glsl), finds where on
// it the pixel's centre lies, and evaluates its material. One lane a pixel.
//
// Where the scene has transmissive surfaces, a first run, with kSpecBehind, shades all others: their light, which
// shade/transmission.glsl reads, and the picture of them where no transmissive one is nearer. The second run then
// shades those that are.
//
// With kSpecInspect: views other than shaded, edges of triangles, the outline of what is selected, and what single
// pixels show.
//
// With kSpecTextureStamps: which mips of textures are sampled (shade/textures.glsl).
//
// With kSpecLights: punctual lights, listed by clusters of the view (shade/lights_cluster.comp).
//
// Reads: ids, depth, the scene; the pyramid and counts of triangles, where those are shown. Writes: colour,
// sRGB-encoded; Inspected; with kSpecExposure a histogram; with kSpecBehind light; with kToneKeep light as it is seen;
// with kSpecTextureStamps what it sampled.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#ifndef FEW_TEXTURES
#extension GL_EXT_nonuniform_qualifier : require
#endif
#include "shared/ambient.h"
#include "shared/exposure.h"
#include "shared/shade.h"
#include "shared/shadow.h"
#include "shared/view_colors.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindColor, rgba8) uniform image2D colors;
layout(set = kPassSet, binding = kBindSum, rgba32f) uniform writeonly image2D light_target;
layout(set = kPassSet, binding = kBindShown) uniform sampler2D shown;  // or, with kAmbient, what nearby surfaces take
// Where it is shown no light is: one binding serves both, since some devices have few.
layout(set = kPassSet, binding = kBindClusters, std430) readonly buffer Pyramid { float pyramid[]; };
layout(set = kPassSet, binding = kBindInspected, std430) buffer InspectedPixels { Inspected inspected; };
layout(set = kPassSet, binding = kBindEnvironment) uniform samplerCube environment;
layout(set = kPassSet, binding = kBindEnvironmentSource) uniform samplerCube environment_source;
layout(set = kPassSet, binding = kBindReflectances) uniform sampler2D reflectances;
layout(set = kPassSet, binding = kBindIrradiance, std140) uniform Irradiance { vec4 irradiance[9]; };
layout(set = kPassSet, binding = kBindBehind) uniform sampler2D behind;
layout(set = kPassSet, binding = kBindBehindTarget, rgba16f) uniform writeonly image2D behind_target;
layout(set = kPassSet, binding = kBindTextureStamps, r32ui) uniform uimage2D texture_stamps;
layout(set = kPassSet, binding = kBindShadows, std140) uniform Shadows { ShadowMaps shadows; };
layout(set = kPassSet, binding = kBindShadowDepths) uniform sampler2DArray shadow_depths;
layout(set = kPassSet, binding = kBindLightShadowDepths) uniform sampler2DArray light_shadow_depths;
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
layout(constant_id = kSpecShadows) const uint kShadows = 0u;
layout(constant_id = kSpecExposure) const bool kExposure = false;
layout(constant_id = kSpecAmbient) const bool kAmbient = false;
layout(constant_id = kSpecTextureStamps) const bool kTextureStamps = false;

layout(push_constant) uniform Push { ShadeConstants constants; };

bool has_shadows(uint of) { return (kShadows & of) != 0u; }

uint view_shown() { return kInspect ? constants.show : kShowShaded; }

#include "scene/sublet_geometry.glsl"
#include "scene/seen_triangle.glsl"
#include "shade/attributes.glsl"
#include "shade/seen.glsl"
#include "shade/barycentric.glsl"
#include "shade/false_color.glsl"
#include "shade/seen_point.glsl"
bool stamps_textures = false;  // this pixel
#define TEXTURE_STAMPS
#include "shade/textures.glsl"
vec3 environment_direction(vec3 d) {
    vec2 turn = frame.environment.xy;
    return vec3(d.x * turn.x - d.z * turn.y, d.y, d.z * turn.x + d.x * turn.y);
}
#include "shade/seen_place.glsl"
#include "shade/ambient.glsl"
#include "shade/lights.glsl"
#include "shade/shadow.glsl"
#include "shade/light_shadow.glsl"
#include "shade/light.glsl"
#include "shade/material.glsl"
#include "shade/surface_point.glsl"
#include "shade/tone.glsl"
#include "shade/covered.glsl"
#include "cull/cut.glsl"
#include "shade/inspect.glsl"
#include "thread_group_tiling.glsl"
#include "backends/raster_grid.glsl"

// How the triangle was drawn: by a lane, by a workgroup, cut by one; by a graphics pipeline.
uint path_color(vec4 clip[3]) {
    if (!in_compute()) {
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

bool is_lit() { return kBehind || view_shown() == kShowShaded || view_shown() == kShowCulled; }

bool shows_surfaces() {
    return is_lit() || view_shown() == kShowNormals || view_shown() == kShowUv ||
           (view_shown() >= kShowBaseColor && view_shown() <= kShowEmission);
}

// Units by which what is seen at a distance may differ from the finest level of detail.
float level_error(float distance) {
    return kLevels && frame.cut_scale > 0.0 ? (frame.view.eye.w == 0.0 ? distance : 1.0) / frame.cut_scale : 0.0;
}

vec3 shadow_view(ivec2 pixel, SeenPoint p) {
    if (!has_shadows(kSunShadows)) {
        return named_color(kShadowMapColors[kShadowMaps]);
    }
    float distance = distance_of(depth_seen(pixel));
    vec3 place = position_of(pixel, distance);
    if (view_shown() == kShowShadowTexels) {
        float times = frame.view.eye.w == 0.0 ? distance : 1.0;
        float pixel_width = 2.0 * times * length(frame.across[1].xyz) / float(constants.size.y);
        float pixels = shadow_texel_pixels(place, pixel_width);
        return named_color(kShadowTexelColors[uint(clamp(ceil(log2(max(pixels, 1e-9)) + 1.0), 0.0, 4.0))]);
    }
    vec3 at;
    float share = sun_share(place, seen_plane(p), level_error(distance));
    return named_color(kShadowMapColors[shadow_map_of(place, at)]) * (0.3 + 0.7 * share);
}

// What a pixel sees of a triangle and nothing of its surface: as it is stored, 0 to 1.
vec3 triangle_view(ivec2 pixel, SeenPoint p) {
    Seen seen = p.seen;
    switch (view_shown()) {
        case kShowInstances: return false_color(seen.instance);
        case kShowMeshlets: return false_color(meshlet_number(seen.instance, seen.sublet / kSubletsPerMeshlet));
        case kShowSublets: return false_color(first_of[seen.instance].sublet + seen.sublet);
        case kShowTriangles:
            return false_color((first_of[seen.instance].sublet + seen.sublet) * kSubletSize + seen.triangle);
        case kShowBarycentrics: return p.at.weights;
        case kShowMaterials: return false_color(instances[seen.instance].flags >> kInstanceMaterialShift);
        case kShowPhase: return named_color(seen_in_phase_1(pixel) ? kColorPhase1 : kColorPhase2);
        case kShowPath: return named_color(path_color(p.clip));
        case kShowDensity: return named_color(kDensityColors[density_step(triangle_pixels(p.at))]);
        case kShowLod: return false_color(lod_level(seen));
        case kShowLodError: return named_color(kLodErrorColors[uint(ceil(4.0 * min(lod_error(seen), 1.0)))]);
        case kShowResidency: return named_color(kResidencyColors[residency_step(seen)]);
        case kShowAge: return named_color(kAgeColors[age_step(seen)]);
        case kShowLodGroup: return false_color(lod_group_number(seen));
        case kShowShadowMaps:
        case kShowShadowTexels: return shadow_view(pixel, p);
    }
    return vec3(0.0);
}

// A surface that a pixel sees.
struct SeenSurface {
    uvec2 id;
    float depth;
    uint blends;  // kBlends...
};
const uint kBlendsNot = 0u;     // its alpha does not count
const uint kBlendsItself = 1u;
const uint kBlendsRest = 2u;    // the rest's colour and alpha take the place of its own

// What blends behind a pixel's layers (view/layers.glsl): its mean colour, and its alpha.
vec4 rest_color(ivec2 pixel) {
    uvec4 sums = uvec4(blended_word(pixel, kBlendLayers), blended_word(pixel, kBlendLayers + 1u));
    return vec4(vec3(sums.yzw) / max(float(sums.x), 1.0), 1.0 - exp2(-float(sums.x) / kRestSteps));
}

// Its light, and alpha; of views that are not lit, what is stored, 0 to 1. The surface is evaluated in this one place
// for all of them: a copy of that for each view would take a compiler several times as long.
vec4 surface_view(ivec2 pixel, SeenPoint p, SeenSurface seen) {
    Material material = material_of(p);
    SurfacePoint point = surface_point(p, material);
    vec4 base = base_color(material, point);
    if (kBlendLayers != 0u && seen.blends == kBlendsRest) {
        base = rest_color(pixel);
    }
    float alpha = kBlendLayers != 0u && seen.blends != kBlendsNot ? base.w : 1.0;
    vec3 color = vec3(base);
    if (is_lit() && is_unlit(material)) {
        return vec4(color, alpha);
    }
    float distance = 0.0;
    if ((kLights || kShadows != 0u || kAmbient) && is_lit()) {
        distance = distance_of(seen.depth);
        point.position = position_of(pixel, distance);
        if (kLights) {
            find_lights(pixel, distance);
        }
        if (has_shadows(kLightShadows)) {
            find_shadows(seen_plane(p), level_error(distance));
        }
    }
    vec2 factors = metallic_roughness(material, point);
    Surface surface = surface_at(material, point, color, factors);
    if (is_lit()) {
        if (kAmbient && seen.depth == layer_depth(pixel, false)) {
            surface.occlusion *= ambient_share(pixel, distance);
        }
        if (has_shadows(kSunShadows) && is_lit_from(surface, frame.sun_direction.xyz)) {
            surface.sun = sun_share(point.position, seen_plane(p), level_error(distance));
        }
        return vec4(shade_surface(frame, surface, -normalize(pixel_ray(pixel))), alpha);
    }
    switch (view_shown()) {
        case kShowNormals: return vec4(0.5 + 0.5 * surface.normal, 1.0);
        case kShowUv: return vec4(fract(point.uv[0]), 0.0, 1.0);
        case kShowMetallicRoughness: return vec4(0.0, factors.yx, 1.0);
        case kShowOcclusion: return vec4(vec3(surface.occlusion), 1.0);
    }
    return vec4(srgb_encode(view_shown() == kShowEmission ? surface.emission : color), 1.0);
}

// Of the triangle that has this id: surface_view() or triangle_view(). Where none was found it has a colour of its own.
// `at`: where on it the pixel lies.
vec4 id_view(ivec2 pixel, SeenSurface seen, out Barycentrics at) {
    if (kWideIds && seen.id.y == kNoTriangle) {
        at = Barycentrics(vec3(1e9), vec3(0.0), vec3(0.0), 0.0);  // on none of its edges
        vec3 color = named_color(kColorNoTriangle);
        return vec4(is_lit() ? srgb_decode(color) : color, 1.0);
    }
    SeenPoint p = seen_point(pixel, seen.id, surface_attributes());
    at = p.at;
    return shows_surfaces() ? surface_view(pixel, p, seen) : vec4(triangle_view(pixel, p), 1.0);
}

// As it is stored, of a pixel that is lit. `covered`: by a triangle; others show light from all around, if there is
// any.
vec3 lit_color(ivec2 pixel, vec3 light, bool covered) {
    bool sky = kEnvironment && view_shown() == kShowShaded;
    if (!covered && !sky) {
        vec3 background = unpackUnorm4x8(constants.background).rgb;
        if (constants.tone == kToneKeep) {
            keep_light(pixel, srgb_decode(background));
        }
        return background;
    }
    vec3 color = developed(pixel, light);
    // What was rejected is drawn over it.
    return covered && view_shown() == kShowCulled ? mix(vec3(0.25), color, 0.2) : color;
}

// Bands, each from one power of two to the next, of the distance along the line of sight: as readable near as far.
vec3 depth_color(float depth) {
    float octaves = log2(max(distance_of(depth), 1e-30));
    vec3 tint = (int(floor(octaves)) & 1) == 0 ? vec3(1.0, 0.96, 0.82) : vec3(0.62, 0.86, 1.0);
    return tint * (1.0 - 0.75 * fract(octaves));
}

// Of the pyramid, which may be of a window of another size: that of a frozen camera.
vec3 hiz_color(ivec2 pixel) {
    uvec2 texel = (uvec2(pixel) * constants.hiz_size / constants.size) >> constants.hiz_level;
    // Most depths of a scene are near 0.
    return vec3(pow(pyramid[constants.hiz_offset + texel.y * constants.hiz_pitch + texel.x], 0.25));
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

// The layers of what blends that are composed over a surface: those nearer than `depth`, and no nearer than `limit`.
// From .x on and below .y, nearest first. All others of a pixel are nearer.
uvec2 layers_between(ivec2 pixel, float depth, float limit) {
    uvec2 layers = uvec2(0u);
    for (uint i = 0u; i < kBlendLayers; ++i) {
        float of_layer = blended_depth(blended_word(pixel, i));
        if (!(of_layer > depth)) {
            break;
        }
        layers.x += of_layer > limit ? 1u : 0u;
        layers.y += 1u;
    }
    return layers;
}

// Light of a surface, or of what lies behind the scene where `covered` is false, and of what blends over it up to the
// depth `limit`: from the farthest to the nearest, one after the other. What blends behind the layers counts as lying
// right behind the last one, and is lit as that is.
vec3 composed_light(ivec2 pixel, bool covered, SeenSurface seen, float limit, out Barycentrics at) {
    uvec2 layers = kBlendLayers != 0u ? layers_between(pixel, covered ? seen.depth : 0.0, limit) : uvec2(0u);
    vec3 light = covered ? vec3(0.0) : background_light(pixel);
    if (!covered && layers.x == layers.y) {
        return light;
    }
    // Steps to go: a layer each, before those the rest, before that the surface. No flags: GPUs keep those of a loop in
    // scalar registers.
    uint rest = kBlendLayers != 0u && layers.x < layers.y && layers.y == kBlendLayers &&
                        blended_word(pixel, kBlendLayers).x != 0u ? 1u : 0u;
    uint left = layers.y + rest + (covered ? 1u : 0u);
    do {
        if (kBlendLayers != 0u && left <= layers.y + rest) {
            // Lanes that are done wait for the others, and look up a layer that is there.
            uvec2 word = blended_word(pixel, max(min(left, layers.y), 1u) - 1u);
            seen = SeenSurface(blended_id(word), blended_depth(word), left > layers.y ? kBlendsRest : kBlendsItself);
        }
        if (kBlendLayers == 0u || left > layers.x) {
            vec4 over = id_view(pixel, seen, at);
            light = mix(light, vec3(over), over.w);
            --left;
        }
    } while (kBlendLayers != 0u && subgroupBallot(left > layers.x) != uvec4(0u));
    return light;
}

const float kNoLimit = 2.0;  // no depth is greater

// What is composed at a pixel: arguments of composed_light(). Both runs have one call of it, since all of shading lies
// behind that.
struct Look {
    bool composes;  // else nothing is
    bool covered;
    SeenSurface surface;
    float limit;
};

// All but transmissive surfaces, and what blends in front of those.
Look look_behind(ivec2 pixel) {
    float depth = layer_depth(pixel, false);
    float limit = kBlendLayers != 0u && transmissive_nearer(pixel) ? layer_depth(pixel, true) : kNoLimit;
    return Look(true, depth != 0.0, SeenSurface(layer_id(pixel, false), depth, kBlendsNot), limit);
}

void store_behind(ivec2 pixel, vec3 light) {
    bool covered = layer_depth(pixel, false) != 0.0 || depth_seen(pixel) != 0.0;
    const float most = 65504.0;  // of a half; the sun is brighter
    imageStore(behind_target, pixel, vec4(min(light, vec3(most)), 1.0));
    if (!transmissive_nearer(pixel)) {
        imageStore(colors, pixel, vec4(lit_color(pixel, light, covered), 1.0));
    }
}

// How many layers of what blends a pixel has; one more than there can be where something blends behind them.
uint layers_of(ivec2 pixel) {
    uint layers = 0u;
    for (uint i = 0u; i < kBlendLayers; ++i) {
        layers += blended_word(pixel, i) != uvec2(0u) ? 1u : 0u;
    }
    return kBlendLayers != 0u && blended_word(pixel, kBlendLayers).x != 0u ? kBlendLayerSteps - 1u : layers;
}

// Views that look up no triangle.
bool shows_values() {
    return view_shown() == kShowDepth || view_shown() == kShowHiz || view_shown() == kShowOverdraw ||
           view_shown() == kShowMotion || view_shown() == kShowShadowDepths || view_shown() == kShowBlendLayers;
}
vec3 value_color(ivec2 pixel, float depth) {
    if (view_shown() == kShowHiz) {
        return hiz_color(pixel);
    }
    if (view_shown() == kShowShadowDepths) {
        return vec3(kShadows != 0u ? shown_shadow_depth((vec2(pixel) + 0.5) / vec2(constants.size)) : 0.0);
    }
    if (view_shown() == kShowMotion) {
        return motion_color(texelFetch(shown, pixel, 0).xy);
    }
    if (view_shown() == kShowDepth && depth != 0.0) {
        return depth_color(depth);
    }
    if (view_shown() == kShowBlendLayers && depth != 0.0) {
        return named_color(kBlendLayerColors[layers_of(pixel)]);
    }
    uint triangles = view_shown() == kShowOverdraw ? uint(texelFetch(shown, pixel, 0).x) : 0u;
    return triangles != 0u ? named_color(kOverdrawColors[overdraw_step(triangles)])
                           : unpackUnorm4x8(constants.background).rgb;
}

// Whether the first run has shaded what is seen.
bool shaded_before(ivec2 pixel) { return is_lit() && has_layers() && !transmissive_seen(pixel); }

// Whether what is seen is looked up to show it; and whether for its triangles' edges.
bool looks_at(ivec2 pixel) { return !shows_values() && !shaded_before(pixel); }
bool shows_edges(float depth) { return kInspect && depth != 0.0 && (constants.inspect & kInspectWireframe) != 0u; }

// What is seen: composed, or of all that is drawn the nearest.
Look look_seen(ivec2 pixel, float depth) {
    bool looks = looks_at(pixel);
    bool composes = kBlendLayers != 0u && looks && is_lit();
    float of_surface = composes ? unblended_depth(pixel) : depth;
    uvec2 id = composes ? unblended_id(pixel) : id_seen(pixel);
    return Look((depth != 0.0 && (looks || shows_edges(depth))) || (looks && is_lit()), of_surface != 0.0,
                SeenSurface(id, of_surface, kBlendsNot), composes ? kNoLimit : of_surface);
}

// As it is stored, whatever is shown; with kInspectWireframe, edges of triangles over it.
vec3 seen_color(ivec2 pixel, float depth, Look look, vec3 light, Barycentrics at) {
    vec3 color = unpackUnorm4x8(constants.background).rgb;
    if (shows_values()) {
        color = value_color(pixel, depth);
    } else if (shaded_before(pixel)) {
        color = imageLoad(colors, pixel).rgb;
    } else {
        color = look.composes ? light : color;
        color = is_lit() ? lit_color(pixel, color, depth != 0.0) : color;
    }
    return shows_edges(depth) ? with_edges(color, at) : color;
}

bool is_stamped(ivec2 pixel) {
    uint of_block = uint(pixel.y) % kStampSide * kStampSide + uint(pixel.x) % kStampSide;
    return constants.stamped_pixel == of_block || constants.stamped_pixel == kStampSide * kStampSide;
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

// The tile of this workgroup; beyond the picture where there is none.
uvec2 own_tile() {
    uvec2 group = gl_WorkGroupID.xy;
    if (!takes_listed_tiles()) {
        return tiled_group_id(constants.group_tiling);
    }
    uvec2 all = picture_tiles();
    return group.x < listed_words[group.y] ? uvec2(listed_words[all.y + group.y * all.x + group.x], group.y) : all;
}

// No return before a barrier, and no barrier that may be left out: lavapipe's compiler makes two copies of what comes
// behind one that may, and the optimiser makes a loop of a function that returns early, all of which comes behind.
void main() {
    uvec2 tile = own_tile();
    ivec2 pixel = ivec2(tile * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
    bool inside = all(lessThan(uvec2(pixel), constants.size));
    stamps_textures = kTextureStamps && is_stamped(pixel);
    if (kCount) {
        bool counts = kBehind || !has_layers() || !is_lit();  // of two runs the first one
        bool covered = (kBehind ? nearer_depth(pixel) : depth_seen(pixel)) != 0.0 ||
                       (kBlendLayers != 0u && blended_word(pixel, 0u).y != 0u);
        count_covered(counts && inside && covered);
    }
    if (kBehind) {
        list_tile(tile, inside && transmissive_nearer(pixel));
    }
    if (inside && (kBehind || !takes_listed_tiles() || transmissive_seen(pixel))) {
        float depth = depth_seen(pixel);
        Look look;
        if (kBehind) {
            look = look_behind(pixel);
        } else {
            look = look_seen(pixel, depth);
        }
        vec3 light = vec3(0.0);
        Barycentrics at;
        if (look.composes) {
            light = composed_light(pixel, look.covered, look.surface, look.limit, at);
        }
        if (kBehind) {
            store_behind(pixel, light);
        } else {
            vec3 color = seen_color(pixel, depth, look, light, at);
            if (kInspect) {
                color = with_selection(color, pixel);
                inspect_pixel(pixel, depth);
            }
            imageStore(colors, pixel, vec4(color, 1.0));
        }
    }
}
