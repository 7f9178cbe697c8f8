// Rasterises the medium triangles that raster.comp left: those that are narrow, and too large for a lane by itself. A
// workgroup takes a batch of them, and cuts their bounding boxes into columns of kColumn pixels. Its lanes share all of
// these columns, whose ever they are, so that none is idle before the last. The same functions give the same pixels as
// a lane by itself would.
//
// Reads: the list (raster_medium.glsl); sublets, for masks. Writes: pixels (raster_pixels.glsl).
// kMasked: those of classes that are tested for alpha; else those of the others.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#ifndef WORDS
#extension GL_EXT_shader_atomic_int64 : require
#endif
#extension GL_EXT_nonuniform_qualifier : require

#include "shared/passes.h"
#include "shared/shade.h"
#include "scene/bindings.glsl"
layout(push_constant) uniform Push { RasterConstants constants; };

const uint kLanes = 128u;
layout(local_size_x = 128) in;
const uint kColumn = 4u;  // pixels, one below the other: lanes side by side write to rows

#include "backends/raster_common.glsl"
#include "backends/raster_medium.glsl"

// A triangle of the batch: all that its columns ask for.
struct Batched {
    ivec4 edges;  // x, y, z: edge functions at the first pixel of its box; w: that pixel, x | y << 16
    ivec4 right;  // what they grow by to the right; w: the low word of pixel_id()
    ivec4 down;   // and down; w: pixels of the box, wide | high << 8; fill rules, a bit each << 16; the id's upper bits
    vec4 depth;   // RasterDepth: origin, k1, k2, least
    vec2 more;    // most; and 1 / pixels that the box is wide
    uint layer;   // its first pixel
    uint first;   // of its columns, counted over the batch
};
shared Batched batch[kRasterBatch];
shared uint batch_claimed;  // triangles << 20 | columns
shared MaskTriangle batch_masks[kMasked ? kRasterBatch : 1];

void add(MediumTriangle piece) {
    RasterTriangle t = unpack_medium(piece, ivec2(constants.size));
    uvec2 size = uvec2(t.last_pixel - t.first_pixel + 1);
    uint columns = size.x * ((size.y + kColumn - 1u) / kColumn);
    uint claimed = atomicAdd(batch_claimed, 1u << 20u | columns);
    uint slot = claimed >> 20u;
    ivec3 rule = fill_rules(t);
    RasterDepth depth = make_raster_depth(t, float_of(narrow_edge_function(t.corners[0], t.corners[1], t.corners[2])));
    batch[slot].edges = ivec4(narrow_edges(t, t.first_pixel), t.first_pixel.x | t.first_pixel.y << 16);
    uvec2 id = pixel_id(medium_sublet(piece), medium_triangle(piece));
    batch[slot].right = ivec4(edges_right(t), int(id.x));
    batch[slot].down = ivec4(edges_down(t), int(size.x | size.y << 8u | id.y << 19u) | (rule.x & 1) << 16 |
                                                (rule.y & 1) << 17 | (rule.z & 1) << 18);
    batch[slot].depth = vec4(depth.origin, depth.k1, depth.k2, depth.least);
    batch[slot].more = vec2(depth.most, 1.0 / float(size.x));
    batch[slot].layer = 0u;
    batch[slot].first = claimed & 0xfffffu;
    if (kMasked) {
        Seen seen = medium_seen(piece);
        batch[slot].layer = layer_of(seen.instance);
        batch_masks[slot] = mask_triangle(seen);
    }
}

// A column of a triangle, by a lane. `number`: among those of its box, in rows.
void draw_column(Batched t, uint slot, uint number) {
    uint wide = uint(t.down.w) & 0xffu;
    uint high = uint(t.down.w) >> 8u & 0xffu;
    // Exact: a half is more than what the product of so few columns rounds off.
    uint row = uint((float(number) + 0.5) * t.more.y);
    uvec2 place = uvec2(number - row * wide, row * kColumn);
    ivec2 pixel = ivec2(t.edges.w & 0xffff, t.edges.w >> 16) + ivec2(place);
    ivec3 rule = -(ivec3(t.down.w >> 16, t.down.w >> 17, t.down.w >> 18) & 1);
    ivec3 at = t.edges.xyz + t.right.xyz * int(place.x) + t.down.xyz * int(place.y);
    uint index = t.layer + uint(pixel.y) * constants.size.x + uint(pixel.x);
    RasterDepth depth = RasterDepth(t.depth.x, t.depth.y, t.depth.z, t.depth.w, t.more.x);
    for (uint i = 0u; i < kColumn; ++i) {
        ivec3 inside = at + rule;
        bool covered = place.y + i < high && (inside.x | inside.y | inside.z) >= 0;
        if (kMasked) {
            covered = covered && mask_covers(batch_masks[slot], pixel + ivec2(0, i));
        }
        if (covered) {
            write_visible_pixel(index, depth_at(depth, float_of(at.y), float_of(at.z)),
                                uvec2(t.right.w, t.down.w >> 19));
        }
        at += t.down.xyz;
        index += constants.size.x;
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint all = min(state.draws.raster.medium[kMediumList], constants.medium_capacity);
    // Neighbours in the list, which are often of a size, go to different workgroups.
    for (uint first = gl_WorkGroupID.x; first < all; first += gl_NumWorkGroups.x * kRasterBatch) {
        if (lane == 0u) {
            batch_claimed = 0u;
        }
        barrier();
        uint entry = first + lane * gl_NumWorkGroups.x;
        if (lane < kRasterBatch && entry < all) {
            add(medium[medium_entry(entry)]);
        }
        barrier();
        uint last_slot = (batch_claimed >> 20u) - 1u;
        uint columns = batch_claimed & 0xfffffu;
        uint slot = 0u;
        for (uint column = lane; column < columns; column += kLanes) {
            while (slot < last_slot && batch[slot + 1u].first <= column) {
                ++slot;
            }
            draw_column(batch[slot], slot, column - batch[slot].first);
        }
        barrier();
    }
}
