// Finds the sublets of the compute rasteriser's pixels where ids are wide. There a pixel's word tells its depth, a
// triangle and the last bits of its sublet's number (raster_common.glsl). A workgroup takes a tile of pixels, one a
// lane, and looks once at each sublet whose number ends in bits that are seen there: few are in the cut. Where several
// are that end alike, their triangles are drawn once more at a pixel. Its own has its very depth, for the functions are
// those that drew it. Others may have it too: the last one wins.
//
// Reads: pixels (raster_pixels.glsl), sublets; masks, with kMasked. Writes: wide ids, where there is a depth.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_nonuniform_qualifier : require

#include "shared/passes.h"
#include "shared/shade.h"
#include "scene/bindings.glsl"
layout(push_constant) uniform Push { RasterWideIdsConstants constants; };

const uint kTilePixels = 64u;
layout(local_size_x = 8, local_size_y = 8) in;

#include "backends/raster_triangle.glsl"
#include "scene/sublet_geometry.glsl"
#include "view/visibility_id.glsl"
#include "scene/seen_triangle.glsl"
#include "scene/winding.glsl"
#include "backends/raster_numbers.glsl"
#include "cull/cut.glsl"
#include "shade/attributes.glsl"
#include "shade/barycentric.glsl"
#include "shade/textures.glsl"
#include "shade/alpha_test.glsl"

layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { uvec2 pixels[]; };
layout(set = kPassSet, binding = kBindWideIds, std430) writeonly buffer WideIds { uvec2 wide_ids[]; };

layout(constant_id = kSpecMasked) const bool kMasked = false;

// The bits that are seen in the tile, hashed, from 1; 0: none. Of each, how many sublets may be seen, and the last lap
// of those.
const uint kSlots = 2u * kTilePixels;
shared uint slots[kSlots];
shared uint slot_choices[kSlots];
shared uint slot_laps[kSlots];
shared uint seen_slots[kTilePixels];  // a list of them
shared uint seen_count;

uint claim_slot(uint kept) {
    uint slot = kept * 0x9e3779b1u >> 25u;
    for (;; slot = (slot + 1u) % kSlots) {  // there are more slots than pixels
        uint taken = atomicCompSwap(slots[slot], 0u, kept + 1u);
        if (taken == 0u) {
            seen_slots[atomicAdd(seen_count, 1u)] = slot;
        }
        if (taken == 0u || taken == kept + 1u) {
            return slot;
        }
    }
}

vec4 polygon[2][8];

#include "backends/raster_cut.glsl"

// The sublet of that number, of all laps the one that `lap` tells.
Seen numbered(uint kept, uint lap, uint triangle) {
    uint bits = bitCount(constants.number_mask);
    return numbered(uvec2(lap << bits | kept, lap >> (32u - bits)), triangle);
}

// Whether a triangle may be what a pixel of a layer shows, as far as its meshlet tells.
bool may_show(Seen seen, uint layer) {
    uint flags = instances[seen.instance].flags;
    bool transmissive = (flags & kInstanceClassMask) == kClassTransmissive;
    return (flags & (kInstanceHidden | kInstanceInvisible)) == 0u && transmissive == (layer != 0u) &&
           seen.sublet < meshes[instances[seen.instance].mesh].sublet_count &&
           meshlet_in_cut(seen.instance, seen.sublet / kSubletsPerMeshlet);
}

// Whether a part of a triangle, all of it unless it has to be cut, covers the pixel at this depth.
bool part_shows(vec4 clip[3], Seen seen, ivec2 pixel, uint depth_bits) {
    uint flags = instances[seen.instance].flags;
    RasterTriangle t;
    if (!make_raster_triangle(clip, instance_winding(flags), constants.size, t) ||
        any(lessThan(pixel, t.first_pixel)) || any(greaterThan(pixel, t.last_pixel))) {
        return false;
    }
    ivec3 rule = fill_rules(t);
    ivec2 center = pixel * kRasterSubpixels;
    int64_t e0 = edge_function(t.corners[1], t.corners[2], center);
    int64_t e1 = edge_function(t.corners[2], t.corners[0], center);
    int64_t e2 = edge_function(t.corners[0], t.corners[1], center);
    if (e0 + rule.x < 0 || e1 + rule.y < 0 || e2 + rule.z < 0) {
        return false;
    }
    if (kMasked && is_alpha_tested(flags & kInstanceClassMask) && !mask_covers(mask_triangle(seen), pixel)) {
        return false;
    }
    RasterDepth depth = make_raster_depth(t, float_of(raster_area(t)));
    return floatBitsToUint(depth_at(depth, float_of(e1), float_of(e2))) == depth_bits;
}

bool shows(Seen seen, ivec2 pixel, uint depth_bits) {
    Sublet sublet = load_sublet(seen.instance, seen.sublet);
    if (seen.triangle >= sublet.triangle_count) {
        return false;
    }
    uvec3 indices = sublet_triangle(sublet, seen.triangle);
    uint any_codes = 0u;
    uint all_codes = ~0u;
    for (uint i = 0u; i < 3u; ++i) {
        polygon[0][i] = sublet_clip(sublet, indices[i]);
        uint code = clip_code(polygon[0][i]);
        any_codes |= code;
        all_codes &= code;
    }
    if ((all_codes & kClipOutside) != 0u) {
        return false;
    }
    uint corners = (any_codes & kClipMayClip) != 0u ? cut_polygon() : 3u;
    bool found = false;
    for (uint i = 2u; i < corners && !found; ++i) {
        vec4 clip[3] = vec4[3](polygon[0][0], polygon[0][i - 1u], polygon[0][i]);
        found = part_shows(clip, seen, pixel, depth_bits);
    }
    return found;
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uvec2 pixel = gl_GlobalInvocationID.xy;
    bool covered = all(lessThan(pixel, constants.size));
    uint layer = gl_WorkGroupID.z;  // one after the other (raster_pixels.glsl)
    uint index = (layer * constants.size.y + pixel.y) * constants.size.x + pixel.x;
    uvec2 word = covered ? pixels[index] : uvec2(0u);
    covered = word.y != 0u;
    uint kept = word.x / kSubletSize | (word.y & 3u) << 27u;
    for (uint i = lane; i < kSlots; i += kTilePixels) {
        slots[i] = 0u;
        slot_choices[i] = 0u;
        slot_laps[i] = 0u;
    }
    if (lane == 0u) {
        seen_count = 0u;
    }
    barrier();
    uint slot = covered ? claim_slot(kept) : 0u;
    barrier();
    // Numbers with the same bits: those of the last lap may be beyond all. Without laps a number is a sublet's.
    uint last = constants.counts_cut != 0u ? cut_numbers[frame.instance_count] - 1u : 0u;
    uint mask = constants.number_mask / kSubletsPerMeshlet;
    uint laps = (last >> bitCount(mask)) + 1u;
    uint looks = seen_count * laps;
    for (uint i = lane; i < looks; i += kTilePixels) {
        uint of = seen_slots[i / laps];
        uint lap = i % laps;
        uint bits = slots[of] - 1u;
        bool there = laps == 1u || lap + 1u < laps || bits / kSubletsPerMeshlet <= (last & mask);
        if (there && (laps == 1u || may_show(numbered(bits, lap, 0u), layer))) {
            atomicAdd(slot_choices[of], 1u);
            atomicMax(slot_laps[of], lap);
        }
    }
    barrier();
    if (!covered) {
        return;
    }
    uint triangle = word.x % kSubletSize;
    Seen found = numbered(kept, slot_laps[slot], triangle);
    bool known = slot_choices[slot] == 1u;
    for (uint lap = slot_laps[slot] + 1u; lap > 0u && !known; --lap) {
        found = numbered(kept, lap - 1u, triangle);
        known = may_show(found, layer) && shows(found, ivec2(pixel), word.y >> 2u);
    }
    wide_ids[index] = known ? visibility_id(found.instance, found.sublet * kSubletSize + triangle) : uvec2(kNoTriangle);
}
