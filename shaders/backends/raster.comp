// Rasterises the surviving sublets of a phase, 32 lanes each: a vertex a lane, then a triangle a lane. What faces away
// or reaches no pixel's centre falls out. Small triangles are drawn at once, by their lane. Medium ones are left to
// raster_medium.comp. Those too wide or high for 32 bits, and those that have to be cut, are left to raster_large.comp:
// an entry for each block of the window that they may touch. Where the list of those is full, the sublet is listed as a
// whole; where that of medium ones is, they are drawn as small ones are.
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
#include "backends/raster_medium.glsl"
#include "backends/raster_exchange.glsl"
#include "backends/raster_cut_edge.glsl"
#define GROUP_COUNTERS
#include "cull/counters.glsl"

#ifndef WORDS
const bool kIds = false;
#endif

shared uint unit_left[kUnits];  // the last sublet that the unit listed: its slot, from 1

void draw_small(RasterTriangle t, Seen seen) {
    uvec2 id = pixel_id(seen);
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
            uint index = first_pixel + uint(pixel.y) * constants.size.x + uint(pixel.x);
            write_visible_pixel(index, depth_at(depth, float_of(at.y), float_of(at.z)), id);
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

// What blends is then drawn without lists, all of it, after the last round (cull/rounds.glsl).
void leave_rest() {
    atomicOr(state.undone.count, kLost);
    atomicMax(state.undone.groups.x, 1u);
    atomicMax(state.undone.groups.y, 1u);
    atomicMax(state.draws.raster.groups.x, kRasterGroups);
}

// Leaves a large triangle to workgroups: the pixels `first` to `last` of the window.
void list_large(Place place, uvec2 first, uvec2 last) {
    first /= kRasterBlock;
    uvec2 blocks = last / kRasterBlock - first + 1u;
    uint all = blocks.x * blocks.y;
    uint base = atomicAdd(state.draws.raster.triangles, all);
    uint end = min(base + all, max(base, constants.large_capacity));
    uvec2 at = uvec2(0u);
    for (uint i = base; i < end; ++i) {
        large[i] = uvec2(kLayers && end != base + all ? kNoSlot : place.slot,
                         place.lane | (first.y + at.y) << 5u | (first.x + at.x) << 16u);
        at = at.x + 1u == blocks.x ? uvec2(0u, at.y + 1u) : uvec2(at.x + 1u, at.y);
    }
    if (kCount) {
        count_sum(kCounterRasterLarge, 1u);
    }
    uint items = end;
    // Layers take each triangle once: one that the list has no room for is left by itself.
    if (end != base + all &&
        (kLayers || atomicExchange(unit_left[place.unit], place.slot + 1u) != place.slot + 1u)) {
        uint left = atomicAdd(state.draws.raster.sublets, 1u);
        if (!kLayers) {
            left_sublets[left] = place.slot;
        } else if (left < left_sublets.length()) {
            left_sublets[left] = place.slot * kSubletSize + place.lane;
        } else {
            leave_rest();
        }
        if (kCount) {
            count_sum(kCounterRasterLeft, 1u);
        }
        items = max(items, left + 1u);
    }
    atomicMax(state.draws.raster.groups.x, min(items, kRasterGroups));
}

// Makes room for so many pieces of medium triangles. Returns the number of the first.
uint claim_pieces(uint count) {
    uint base = atomicAdd(state.draws.raster.medium[kMediumList], count);
    uint batches = (base + count - 1u) / kRasterBatch + 1u;
    if (batches * kRasterBatch >= base + kRasterBatch) {  // more than those before need
        atomicMax(state.draws.raster.medium_groups[kMediumList].x, min(batches, kRasterGroups));
    }
    return base;
}

// The same for the lanes that ask for one each. With SUBGROUP32 all lanes of the subgroup come, for a single atomic.
uint claim_piece(bool asks) {
#ifdef SUBGROUP32
    uvec4 asking = subgroupBallot(asks);
    uint base = 0u;
    if (subgroupElect()) {
        base = claim_pieces(subgroupBallotBitCount(asking));
    }
    return subgroupBroadcastFirst(base) + subgroupBallotExclusiveBitCount(asking);
#else
    return asks ? claim_pieces(1u) : 0u;
#endif
}

bool any_comes(bool value) {
#ifdef SUBGROUP32
    return subgroupAny(value);
#else
    return value;
#endif
}

// Leaves a medium triangle to workgroups, if this lane has one. False where it found no room. With SUBGROUP32 all lanes
// of the subgroup come.
bool list_medium(Place place, RasterTriangle t, bool is_medium) {
    bool listed = true;
    uint pieces = is_medium ? uint(t.last_pixel.y - t.first_pixel.y) / kMediumRows + 1u : 0u;
    if (kCount && is_medium) {
        count_sum(kCounterRasterLarge, 1u);
    }
    for (uint piece = 0u; any_comes(piece < pieces); ++piece) {
        uint index = claim_piece(piece < pieces);
        listed = listed && (piece >= pieces || index < constants.medium_capacity);
        if (piece < pieces && listed) {
            medium[medium_entry(index)] = pack_medium(t, piece, Seen(place.entry.x, place.entry.y, place.lane));
        }
    }
    return listed;
}

// Draws this lane's triangle, if it is `there`, or leaves it to workgroups. With SUBGROUP32 all lanes of the subgroup
// come. Drawing is last, since it takes registers: what lists need is then done with. A medium triangle that found no
// room is drawn as small ones are; which ones those were the pass for ids does not know, and draws them all. Layers,
// which take each pixel of a triangle once, take medium ones for large.
void draw(Place place, bool there, bool narrow, RasterTriangle t) {
    narrow = narrow || (there && is_narrow(t));
    bool small = there && narrow && raster_pixels(t) <= constants.limit;
    bool is_medium = there && narrow && !small && !kLayers;
    if (kIds) {
        small = small || (is_medium && state.draws.raster.medium[kMediumList] > constants.medium_capacity);
    } else {
        small = !list_medium(place, t, is_medium) || small;
        if (there && !(kLayers ? small : narrow)) {
            list_large(place, uvec2(t.first_pixel), uvec2(t.last_pixel));
        }
    }
    if (small) {
        draw_small(t, Seen(place.entry.x, place.entry.y, place.lane));
    }
}

// Widens a box in normalised device coordinates by a point. One that has none makes it all of the view.
void include_point(vec4 clip, inout vec2 low, inout vec2 high) {
    vec2 ndc = vec2(clip) / clip.w;
    bool known = clip.w > 0.0 && all(lessThan(abs(ndc), vec2(1e30)));
    low = min(low, known ? ndc : vec2(-1.0));
    high = max(high, known ? ndc : vec2(1.0));
}

// Leaves a triangle that has to be cut to workgroups: in the blocks that its part beyond the near plane may touch. Two
// pixels are more than this rounds off.
void list_cut(Place place, uvec3 triangle) {
    // Looked up again: few come here, and the others would keep it in registers.
    Sublet sublet = load_sublet(place.entry.x, place.entry.y);
    vec4 clip[3];
    for (uint i = 0u; i < 3u; ++i) {
        clip[i] = sublet_clip(sublet, triangle[i]);
    }
    vec2 low = vec2(2.0);
    vec2 high = vec2(-2.0);
    for (uint i = 0u; i < 3u; ++i) {
        vec4 a = clip[i];
        vec4 b = clip[i == 2u ? 0u : i + 1u];
        float distance_a = cut_distance(a, 0u);
        float distance_b = cut_distance(b, 0u);
        bool inside_a = distance_a >= 0.0;
        if (inside_a) {
            include_point(a, low, high);
        }
        if (inside_a && distance_b < 0.0) {
            include_point(cut_edge(a, b, distance_a, distance_b, 0u), low, high);
        } else if (!inside_a && distance_b >= 0.0) {
            include_point(cut_edge(b, a, distance_b, distance_a, 0u), low, high);
        }
    }
    vec2 size = vec2(constants.size);
    low = fma(low, 0.5 * size, 0.5 * size - 2.0);
    high = fma(high, 0.5 * size, 0.5 * size + 2.0);
    if (all(lessThanEqual(low, high)) && all(lessThan(low, size)) && all(greaterThanEqual(high, vec2(0.0)))) {
        list_large(place, uvec2(max(low, vec2(0.0))), uvec2(min(high, size - 1.0)));
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
        set_depths(t, depths, turned);
        draw(place, there, true, t);
    }
    return there;
}
#endif

// This lane's triangle, if it is `there`. Says whether it drew it, or left it to workgroups.
bool draw_lane(Place place, Corners corners, uvec3 triangle, bool there) {
    there = there && (corners.all_codes & kClipOutside) == 0u;
    bool cut = there && (corners.any_codes & kClipMayClip) != 0u;
    if (cut && !kIds) {
        list_cut(place, triangle);
    }
    RasterTriangle t;
    bool whole = make_raster_triangle(corners.positions, corners.depths, place.winding, ivec2(constants.size), t);
    whole = whole && there && !cut;
    draw(place, whole, false, t);
    return cut || whole;
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
    uint group = gl_WorkGroupID.x * gl_NumWorkGroups.z + gl_WorkGroupID.z;
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.z * kUnits;
    for (uint first = group * kUnits; first < end; first += stride) {
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
        uvec3 triangle = there ? sublet_triangle(sublet, lane) : uvec3(0u);
        Corners corners = exchange(clip, triangle);
        drawn += draw_lane(place, corners, triangle, there) ? 1u : 0u;
    }
    if (kCount && !kIds) {
        count_sum(kCounterPrimitivesTested, tested);
        count_sum(kCounterPrimitivesDrawn, drawn);
        end_counts();
    }
}
