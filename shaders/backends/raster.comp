// Rasterises the surviving sublets of a phase, 32 lanes each: a vertex a lane, then a triangle a lane. What faces away
// or reaches no pixel's centre falls out. Small triangles are drawn at once, by their lane. Those that are large, and
// those that have to be cut, are left to raster_large.comp: an entry for each band of rows that they touch. Where the
// list of those is full, the sublet is listed instead.
//
// Reads: survivors, sublets. Writes: pixels (raster_pixels.glsl), the lists.
// SUBGROUP32: lanes exchange vertices by subgroup operations, else by shared memory.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#ifndef WORDS
#extension GL_EXT_shader_atomic_int64 : require
#endif
#ifdef SUBGROUP32
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif

#include "shared/passes.h"
#include "scene/bindings.glsl"
layout(push_constant) uniform Push { RasterConstants constants; };
layout(constant_id = kSpecCount) const bool kCount = false;

#ifdef SUBGROUP32
#define RASTER_LANES 64
#else
#define RASTER_LANES 256
#endif
layout(local_size_x = RASTER_LANES) in;
const uint kUnits = RASTER_LANES / 32;

#include "backends/raster_common.glsl"
#include "cull/counters.glsl"

#ifndef WORDS
const bool kIds = false;
#endif

shared uint unit_left[kUnits];  // whether the unit's sublet is listed
shared uint group_tested;
shared uint group_drawn;
shared uint group_large;
shared uint group_left;

#ifndef SUBGROUP32
shared uvec2 shared_window[RASTER_LANES];
shared float shared_depth[RASTER_LANES];
#endif

// What the corners of this lane's triangle are.
struct Corners {
    ivec2 positions[3];
    float depths[3];
    uint all_codes;
    uint any_codes;
};

// All lanes of the workgroup come here together; those of a unit are over with its last sublet.
Corners exchange(uint unit, vec4 clip, uvec3 triangle) {
    uvec2 window = pack_window(window_position(clip, raster_viewport(constants.size)), clip_code(clip));
    float depth = raster_depth(clip);
    Corners corners;
    corners.all_codes = kClipOutside;
    corners.any_codes = 0u;
#ifdef SUBGROUP32
    uint first = gl_SubgroupInvocationID & ~31u;
    subgroupBarrier();
    unit_left[unit] = 0u;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
#else
    uint first = gl_LocalInvocationIndex & ~31u;
    barrier();
    unit_left[unit] = 0u;
    shared_window[gl_LocalInvocationIndex] = window;
    shared_depth[gl_LocalInvocationIndex] = depth;
    barrier();
#endif
    for (uint i = 0u; i < 3u; ++i) {
#ifdef SUBGROUP32
        uvec2 corner = subgroupShuffle(window, first + triangle[i]);
        corners.depths[i] = subgroupShuffle(depth, first + triangle[i]);
#else
        uvec2 corner = shared_window[first + triangle[i]];
        corners.depths[i] = shared_depth[first + triangle[i]];
#endif
        corners.positions[i] = raster_position(unpack_window(corner));
        corners.all_codes &= unpack_code(corner);
        corners.any_codes |= unpack_code(corner);
    }
    return corners;
}

void draw_small(RasterTriangle t, uint id) {
    ivec3 rule = fill_rules(t);
    ivec3 right = edges_right(t);
    ivec3 down = edges_down(t);
    ivec3 row = narrow_edges(t, t.first_pixel);
    RasterDepth depth = make_raster_depth(t, float_of(narrow_edge_function(t.corners[0], t.corners[1], t.corners[2])));
    ivec3 at = row;
    ivec2 pixel = t.first_pixel;
    while (pixel.y <= t.last_pixel.y) {
        ivec3 inside = at + rule;
        if ((inside.x | inside.y | inside.z) >= 0) {
            write_visible_pixel(pixel, depth_at(depth, float_of(at.y), float_of(at.z)), id);
        }
        // One loop over all pixels: lanes then take as many turns as the largest of their triangles.
        bool next_row = pixel.x == t.last_pixel.x;
        row += next_row ? down : ivec3(0);
        at = next_row ? row : at + right;
        pixel = next_row ? ivec2(t.first_pixel.x, pixel.y + 1) : ivec2(pixel.x + 1, pixel.y);
    }
}

// Leaves a triangle to workgroups: rows `first` to `last` of the window.
void list_large(uint unit, uint slot, uint triangle, uint first, uint last) {
    uint band = first / kRasterBand;
    uint bands = last / kRasterBand - band + 1u;
    uint base = atomicAdd(state.draws.raster.triangles, bands);
    uint end = min(base + bands, max(base, constants.capacity));
    for (uint i = base; i < end; ++i) {
        large[i] = uvec2(slot, triangle | (band + i - base) << 5u);
    }
    uint items = min(base + bands, constants.capacity);
    if (kCount) {
        atomicAdd(group_large, 1u);
    }
    if (end != base + bands && atomicExchange(unit_left[unit], 1u) == 0u) {
        uint left = atomicAdd(state.draws.raster.sublets, 1u);
        left_sublets[left] = slot;
        if (kCount) {
            atomicAdd(group_left, 1u);
        }
        items = constants.capacity + left + 1u;
    }
    atomicMax(state.draws.raster.groups.x, min(items, kRasterGroups));
}

// This lane's triangle.
void draw_lane(uint unit, uint slot, uint lane, uint draw_class, uint instance, uint sublet, Corners corners) {
    if ((corners.all_codes & kClipOutside) != 0u) {
        return;
    }
    bool cut = (corners.any_codes & kClipMayClip) != 0u;
    RasterTriangle t;
    if (!cut && !make_raster_triangle(corners.positions, corners.depths, draw_class, ivec2(constants.size), t)) {
        return;
    }
    if (kCount && !kIds) {
        atomicAdd(group_drawn, 1u);
    }
    if (!cut && is_small(t, constants.limit)) {
        draw_small(t, pixel_id(instance, sublet, lane));
    } else if (!kIds) {
        list_large(unit, slot, lane, cut ? 0u : uint(t.first_pixel.y),
                   cut ? constants.size.y - 1u : uint(t.last_pixel.y));
    }
}

void main() {
    uint draw_class = gl_WorkGroupID.y;
    uint lane = gl_LocalInvocationIndex & 31u;
    uint unit = gl_LocalInvocationIndex >> 5u;
    uint base = frame.classes[draw_class].first_slot;
    uint end = state.survivors.classes[draw_class].draw.instances;
    if (kCount && gl_LocalInvocationIndex == 0u) {
        group_tested = 0u;
        group_drawn = 0u;
        group_large = 0u;
        group_left = 0u;
    }
    barrier();
    for (uint first = gl_WorkGroupID.x * kUnits; first < end; first += gl_NumWorkGroups.x * kUnits) {
        uint slot = base + first + unit;
        Sublet sublet = no_sublet();
        uvec2 entry = uvec2(0u);
        if (first + unit < end) {
            entry = survivors[slot];
            sublet = load_sublet(entry.x, entry.y);
        }
        vec4 clip = vec4(0.0, 0.0, 0.0, 1.0);
        if (lane < sublet.vertex_count) {
            clip = vertex_clip(sublet.instance, sublet_position(sublet, lane));
        }
        bool there = lane < sublet.triangle_count;
        Corners corners = exchange(unit, clip, there ? sublet_triangle(sublet, lane) : uvec3(0u));
        if (kCount && lane == 0u) {
            atomicAdd(group_tested, sublet.triangle_count);
        }
        if (there) {
            draw_lane(unit, slot, lane, draw_class, entry.x, entry.y, corners);
        }
    }
    if (kCount && !kIds) {
        barrier();
        if (gl_LocalInvocationIndex == 0u && group_tested != 0u) {
            count(kCounterPrimitivesTested, group_tested);
            count(kCounterPrimitivesDrawn, group_drawn);
            if (group_large != 0u) {
                count(kCounterRasterLarge, group_large);
                count(kCounterRasterLeft, group_left);
            }
        }
    }
}
