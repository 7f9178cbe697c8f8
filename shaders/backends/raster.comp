// Rasterises the surviving sublets of a phase, 32 lanes each: a vertex a lane, then a triangle a lane. What faces away
// or reaches no pixel's centre falls out. Small triangles are drawn at once, by their lane. Those that are large, and
// those that have to be cut, are left to raster_large.comp: an entry for each band of rows that they touch. Where the
// list of those is full, the sublet is listed instead.
//
// Reads: survivors, sublets. Writes: pixels (raster_pixels.glsl), the lists.
// SUBGROUP32: lanes exchange vertices by subgroup operations, else by shared memory.
// kMasked: those of classes that are tested for alpha, where that finds something; else those of the others.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#ifndef WORDS
#extension GL_EXT_shader_atomic_int64 : require
#endif
#ifdef SUBGROUP32
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif
#extension GL_EXT_nonuniform_qualifier : require

#include "shared/passes.h"
#include "shared/shade.h"
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
#include "backends/raster_exchange.glsl"
#define GROUP_COUNTERS
#include "cull/counters.glsl"

#ifndef WORDS
const bool kIds = false;
#endif

shared uint unit_left[kUnits];  // the last sublet that the unit listed: its slot, from 1

void draw_small(RasterTriangle t, Seen seen) {
    uint id = pixel_id(seen);
    uint first_pixel = 0u;
    MaskTriangle mask;
    if (kMasked) {
        first_pixel = layer_of(seen.instance);
        mask = mask_triangle(seen);
    }
    ivec3 rule = fill_rules(t);
    ivec3 right = edges_right(t);
    ivec3 down = edges_down(t);
    ivec3 row = narrow_edges(t, t.first_pixel);
    RasterDepth depth = make_raster_depth(t, float_of(narrow_edge_function(t.corners[0], t.corners[1], t.corners[2])));
    ivec3 at = row;
    ivec2 pixel = t.first_pixel;
    while (pixel.y <= t.last_pixel.y) {
        ivec3 inside = at + rule;
        bool covered = (inside.x | inside.y | inside.z) >= 0;
        if (kMasked) {
            covered = covered && mask_covers(mask, pixel);
        }
        if (covered) {
            write_visible_pixel(pixel, depth_at(depth, float_of(at.y), float_of(at.z)), id, first_pixel);
        }
        // One loop over all pixels: lanes then take as many turns as the largest of their triangles.
        bool next_row = pixel.x == t.last_pixel.x;
        row += next_row ? down : ivec3(0);
        at = next_row ? row : at + right;
        pixel = next_row ? ivec2(t.first_pixel.x, pixel.y + 1) : ivec2(pixel.x + 1, pixel.y);
    }
}

// What is known of the sublet that this lane has a triangle of.
struct Place {
    uint unit;
    uint slot;  // of the list
    uint lane;
    uvec2 entry;
    uint winding;  // kWinding...: which sides are drawn
};

// Leaves a triangle to workgroups: rows `first` to `last` of the window.
void list_large(Place place, uint first, uint last) {
    uint band = first / kRasterBand;
    uint bands = last / kRasterBand - band + 1u;
    uint base = atomicAdd(state.draws.raster.triangles, bands);
    uint end = min(base + bands, max(base, constants.capacity));
    for (uint i = base; i < end; ++i) {
        large[i] = uvec2(place.slot, place.lane | (band + i - base) << 5u);
    }
    uint items = min(base + bands, constants.capacity);
    if (kCount) {
        count_sum(kCounterRasterLarge, 1u);
    }
    if (end != base + bands && atomicExchange(unit_left[place.unit], place.slot + 1u) != place.slot + 1u) {
        uint left = atomicAdd(state.draws.raster.sublets, 1u);
        left_sublets[left] = place.slot;
        if (kCount) {
            count_sum(kCounterRasterLeft, 1u);
        }
        items = constants.capacity + left + 1u;
    }
    atomicMax(state.draws.raster.groups.x, min(items, kRasterGroups));
}

void draw(Place place, bool narrow, RasterTriangle t) {
    if ((narrow || is_narrow(t)) && raster_pixels(t) <= constants.limit) {
        draw_small(t, Seen(place.entry.x, place.entry.y, place.lane));
    } else if (!kIds) {
        list_large(place, uint(t.first_pixel.y), uint(t.last_pixel.y));
    }
}

#ifdef SUBGROUP32
// By the subgroup. Says whether this lane drew a triangle. `depth`: of its vertex.
bool draw_near(Place place, Near near, bool there, uvec3 triangle, float depth) {
    RasterTriangle t;
    bool turned = false;
    ivec2 positions[3] = exchange_near(near, triangle);
    there = there && place_triangle(positions, true, place.winding, ivec2(constants.size), t, turned);
    if (subgroupAny(there)) {
        float depths[3] = exchange_depths(depth, triangle);
        if (there) {
            set_depths(t, depths, turned);
            draw(place, true, t);
        }
    }
    return there;
}
#endif

// This lane's triangle. Says whether it drew it, or left it to workgroups.
bool draw_lane(Place place, Corners corners) {
    bool there = (corners.all_codes & kClipOutside) == 0u;
    if (there && (corners.any_codes & kClipMayClip) != 0u) {
        if (!kIds) {
            list_large(place, 0u, constants.size.y - 1u);
        }
    } else if (there) {
        RasterTriangle t;
        there = make_raster_triangle(corners.positions, corners.depths, place.winding, ivec2(constants.size), t);
        if (there) {
            draw(place, false, t);
        }
    }
    return there;
}

void main() {
    uint draw_class = class_of_column(gl_WorkGroupID.y);
    uint lane = gl_LocalInvocationIndex & 31u;
    uint unit = gl_LocalInvocationIndex >> 5u;
    uint base = frame.classes[draw_class].first_slot;
    // No return for the other classes: shade/shade.comp says why.
    uint end = is_alpha_tested(draw_class) == kMasked ? state.survivors.classes[draw_class].draw.instances : 0u;
    begin_counts();
    if (lane == 0u) {
        unit_left[unit] = 0u;
    }
    barrier();
    uint tested = 0u;
    uint drawn = 0u;
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
            clip = sublet_clip(sublet, lane);
        }
        tested += lane == 0u ? sublet.triangle_count : 0u;
        bool there = lane < sublet.triangle_count;
        uint winding = kMasked ? instance_winding(instances[entry.x].flags) : draw_class;
        Place place = Place(unit, slot, lane, entry, winding);
#ifdef SUBGROUP32
        Near near = look_around(clip, lane < sublet.vertex_count);
        if (near.all_near) {
            if (subgroupAny(near.reaches)) {
                there = there && near.reaches;
                uvec3 triangle = there ? sublet_triangle(sublet, lane) : uvec3(0u);
                drawn += draw_near(place, near, there, triangle, raster_depth(clip)) ? 1u : 0u;
            }
            continue;
        }
#endif
        Corners corners = exchange(clip, there ? sublet_triangle(sublet, lane) : uvec3(0u));
        if (there) {
            drawn += draw_lane(place, corners) ? 1u : 0u;
        }
    }
    if (kCount && !kIds) {
        count_sum(kCounterPrimitivesTested, tested);
        count_sum(kCounterPrimitivesDrawn, drawn);
        end_counts();
    }
}
