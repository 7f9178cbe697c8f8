// Finds the triangles of the compute rasteriser's pixels where ids are wide: there a pixel's word tells its sublet and
// its depth (raster_common.glsl). 32 lanes take a tile of 32 pixels, and one after another the sublets that are seen
// there: a vertex a lane, then a triangle a lane, which looks for pixels of the sublet that it covers at the very depth
// that they have. A pixel's own triangle does: the functions are those that drew it. Others may too: the last one wins,
// as the greatest of narrow ids does. Triangles that have to be cut, which are few, come one after another, a pixel a
// lane.
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

const ivec2 kTile = ivec2(8, 4);
const uint kTilePixels = 32u;
layout(local_size_x = 32) in;

#include "backends/raster_triangle.glsl"
#include "scene/sublet_geometry.glsl"
#include "view/visibility_id.glsl"
#include "scene/seen_triangle.glsl"
#include "scene/winding.glsl"
#include "shade/attributes.glsl"
#include "shade/barycentric.glsl"
#include "shade/textures.glsl"
#include "shade/alpha_test.glsl"

layout(set = kPassSet, binding = kBindPixels, std430) readonly buffer Pixels { uvec2 pixels[]; };
layout(set = kPassSet, binding = kBindWideIds, std430) writeonly buffer WideIds { uvec2 wide_ids[]; };

layout(constant_id = kSpecMasked) const bool kMasked = false;

shared vec4 polygon[2][8];
shared uint polygon_corners;

#include "backends/raster_cut.glsl"

// A pixel's sublet, counted over all instances.
uvec2 number_of(uvec2 word) { return uvec2(word.x, word.y & 3u); }

// Of the tile's pixels:
shared uvec2 tile_words[kTilePixels];
shared uint tile_instances[kTilePixels];
shared uint tile_found[kTilePixels];  // the triangle of its sublet, from 1; 0: none yet

shared vec4 vertices[kSubletSize];  // of a sublet, in clip space
shared uint cut_triangles;          // of it: a bit for each that has to be cut

// The triangle of the pixels from `first` to `last` that show this sublet, `number` counted over all instances, and have
// this triangle's depth. They are pixels of the tile at `corner`.
void find_pixels(RasterTriangle t, Sublet sublet, uvec2 number, uint triangle, ivec2 corner, ivec2 first, ivec2 last) {
    first = max(t.first_pixel, first);
    last = min(t.last_pixel, last);
    if (any(greaterThan(first, last))) {
        return;
    }
    bool masked = kMasked && is_alpha_tested(instances[sublet.instance].flags & kInstanceClassMask);
    MaskTriangle mask;
    if (masked) {
        mask = mask_triangle(Seen(sublet.instance, number.x - first_of[sublet.instance].sublet, triangle));
    }
    ivec3 rule = fill_rules(t);
    RasterDepth depth = make_raster_depth(t, float_of(raster_area(t)));
    for (int y = first.y; y <= last.y; ++y) {
        for (int x = first.x; x <= last.x; ++x) {
            uint pixel = uint((y - corner.y) * kTile.x + x - corner.x);
            if (number_of(tile_words[pixel]) != number) {
                continue;
            }
            ivec2 center = ivec2(x, y) * kRasterSubpixels;
            int64_t e0 = edge_function(t.corners[1], t.corners[2], center);
            int64_t e1 = edge_function(t.corners[2], t.corners[0], center);
            int64_t e2 = edge_function(t.corners[0], t.corners[1], center);
            bool inside = e0 + rule.x >= 0 && e1 + rule.y >= 0 && e2 + rule.z >= 0;
            if (masked) {
                inside = inside && mask_covers(mask, ivec2(x, y));
            }
            if (inside && floatBitsToUint(depth_at(depth, float_of(e1), float_of(e2))) == tile_words[pixel].y >> 2u) {
                atomicMax(tile_found[pixel], triangle + 1u);
            }
        }
    }
}

// This lane's triangle of the sublet whose vertices are there.
void find_lane(Sublet sublet, uvec2 number, uint lane, ivec2 corner) {
    uvec3 indices = sublet_triangle(sublet, lane);
    vec4 clip[3] = vec4[3](vertices[indices.x], vertices[indices.y], vertices[indices.z]);
    uint codes[3] = uint[3](clip_code(clip[0]), clip_code(clip[1]), clip_code(clip[2]));
    if ((codes[0] & codes[1] & codes[2] & kClipOutside) != 0u) {
        return;
    }
    if (((codes[0] | codes[1] | codes[2]) & kClipMayClip) != 0u) {
        atomicOr(cut_triangles, 1u << lane);
        return;
    }
    RasterTriangle t;
    if (make_raster_triangle(clip, instance_winding(instances[sublet.instance].flags), constants.size, t)) {
        find_pixels(t, sublet, number, lane, corner, corner, corner + kTile - 1);
    }
}

// By the workgroup: a triangle of it that has to be cut.
void find_cut(Sublet sublet, uvec2 number, uint triangle, ivec2 corner, ivec2 pixel) {
    if (gl_LocalInvocationIndex == 0u) {
        uvec3 indices = sublet_triangle(sublet, triangle);
        polygon[0][0] = vertices[indices.x];
        polygon[0][1] = vertices[indices.y];
        polygon[0][2] = vertices[indices.z];
        polygon_corners = cut_polygon();
    }
    barrier();
    uint winding = instance_winding(instances[sublet.instance].flags);
    for (uint i = 2u; i < polygon_corners; ++i) {
        vec4 clip[3] = vec4[3](polygon[0][0], polygon[0][i - 1u], polygon[0][i]);
        RasterTriangle t;
        if (make_raster_triangle(clip, winding, constants.size, t)) {
            find_pixels(t, sublet, number, triangle, corner, pixel, pixel);
        }
    }
    barrier();
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    ivec2 corner = ivec2(gl_WorkGroupID.xy) * kTile;
    ivec2 pixel = corner + ivec2(int(lane) % kTile.x, int(lane) / kTile.x);
    bool covered = all(lessThan(uvec2(pixel), constants.size));
    // A layer of them after the other (raster_pixels.glsl).
    uint index = (gl_WorkGroupID.z * constants.size.y + uint(pixel.y)) * constants.size.x + uint(pixel.x);
    uvec2 word = covered ? pixels[index] : uvec2(0u);
    covered = word.y != 0u;
    uint instance = covered ? find_instance(number_of(word)) : 0u;
    tile_words[lane] = word;
    tile_instances[lane] = instance;
    tile_found[lane] = 0u;
    barrier();
    for (uint i = 0u; i < kTilePixels; ++i) {
        // The workgroup as a whole: nothing of this changes before all have come to the barrier below.
        if (tile_words[i].y == 0u || tile_found[i] != 0u) {
            continue;
        }
        uvec2 number = number_of(tile_words[i]);
        Sublet sublet = load_sublet(tile_instances[i], number.x - first_of[tile_instances[i]].sublet);
        if (lane == 0u) {
            cut_triangles = 0u;
        }
        if (lane < sublet.vertex_count) {
            vertices[lane] = sublet_clip(sublet, lane);
        }
        barrier();
        if (lane < sublet.triangle_count) {
            find_lane(sublet, number, lane, corner);
        }
        barrier();
        uint cut = cut_triangles;
        barrier();
        for (; cut != 0u; cut &= cut - 1u) {
            find_cut(sublet, number, uint(findLSB(cut)), corner, pixel);
        }
    }
    if (covered) {
        uint found = tile_found[lane];
        uint sublet = word.x - first_of[instance].sublet;
        wide_ids[index] = found == 0u ? uvec2(kNoTriangle)
                                      : visibility_id(instance, sublet * kSubletSize + found - 1u);
    }
}
