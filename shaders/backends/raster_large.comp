// Rasterises what raster.comp left: large triangles, and those that reach over the near plane or far beyond the view,
// which are cut here. A workgroup takes a triangle's pixels in one block of the window, and walks over tiles of them, a
// pixel a lane; the same functions give the same pixels as a lane by itself would. Then it takes the sublets that were
// listed as a whole: all of their large triangles. After the last round, should culling not be done, it
// takes all triangles of the scene (cull/rounds.glsl).
//
// Reads: the lists, sublets. Writes: pixels (raster_pixels.glsl).
// kMasked: some of them may be of classes that are tested for alpha.
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

const ivec2 kTile = ivec2(16, 8);
layout(local_size_x = 128) in;

#include "backends/raster_common.glsl"
#include "cull/cut.glsl"
#include "expansion/entries.glsl"
#include "scene/tasks.glsl"
#include "cull/phase.glsl"

shared vec4 polygon[2][8];
shared uint polygon_corners;
shared bool polygon_cut;
// What the workgroup draws, and in which block of the window. Kept by all alike it would take scalar registers, too.
shared Sublet polygon_sublet;
shared uint polygon_block;
shared MaskTriangle polygon_mask;  // made a corner a lane: by all alike it would take a GPU's scalar registers

#include "backends/raster_cut.glsl"

const uint kWholeWindow = 0xffffffffu;  // in place of a block, as they are listed: its row | its column << 11

// The pixels of a triangle in a block of the window, by the workgroup.
void draw_block(RasterTriangle t, Seen seen) {
    uint block = polygon_block;
    bool whole = block == kWholeWindow;
    ivec2 first = whole ? ivec2(0) : ivec2(uvec2(block >> 11u, block & 0x7ffu) * kRasterBlock);
    ivec2 last = whole ? ivec2(constants.size) - 1 : first + ivec2(kRasterBlock) - 1;
    uvec2 id = pixel_id(seen);
    bool masked = kLayers || kMasked && is_alpha_tested(instances[seen.instance].flags & kInstanceClassMask);
    uint first_pixel = kMasked && !kLayers ? layer_of(seen.instance) : 0u;
    ivec2 low = max(t.first_pixel, first);
    ivec2 high = min(t.last_pixel, last);
    RasterDepth depth = make_raster_depth(t, float_of(raster_area(t)));
    ivec3 rule = fill_rules(t);
    ivec3 right = edges_right(t);
    ivec2 lane = ivec2(gl_LocalInvocationIndex % uint(kTile.x), gl_LocalInvocationIndex / uint(kTile.x));
    int64_t right0 = int64_t(right.x) * kTile.x;
    int64_t right1 = int64_t(right.y) * kTile.x;
    int64_t right2 = int64_t(right.z) * kTile.x;
    for (int y = low.y + lane.y; y <= high.y; y += kTile.y) {
        ivec2 pixel = ivec2(low.x + lane.x, y);
        ivec2 center = pixel * kRasterSubpixels;
        int64_t e0 = edge_function(t.corners[1], t.corners[2], center) + rule.x;
        int64_t e1 = edge_function(t.corners[2], t.corners[0], center) + rule.y;
        int64_t e2 = edge_function(t.corners[0], t.corners[1], center) + rule.z;
        while (pixel.x <= high.x) {
            bool covered = e0 >= 0 && e1 >= 0 && e2 >= 0;
            if (kMasked) {
                covered = covered && (!masked || mask_covers(polygon_mask, pixel));
            }
            if (covered) {
                uint index = first_pixel + uint(pixel.y) * constants.size.x + uint(pixel.x);
                float z = depth_at(depth, float_of(e1 - rule.y), float_of(e2 - rule.z));
                if (is_behind(index, z, id)) {
                    write_visible_pixel(index, z, id);
                }
            }
            e0 += right0;
            e1 += right1;
            e2 += right2;
            pixel.x += kTile.x;
        }
    }
}

// By the workgroup: pixels of a triangle of a sublet, if it is large, or `all` are asked for.
void draw_triangle(uint triangle, bool all) {
    uint lane = gl_LocalInvocationIndex;
    barrier();  // the last one's polygon is done with
    if (lane < 3u) {
        Sublet sublet = polygon_sublet;
        uint vertex = sublet_triangle(sublet, triangle)[lane];
        if (kMasked) {
            Material material = mask_material(sublet.instance);
            TextureSlot slot = material.base_color_texture;
            ShadedVertex read = read_vertex(sublet, vertex, mask_attributes(sublet.mesh, slot));
            MaskCorner corner = mask_corner(sublet, slot, vertex, read);
            polygon[0][lane] = corner.clip;
            polygon_mask.corners[lane] = corner.clip.xyw;
            polygon_mask.uv[lane] = corner.uv;
            polygon_mask.colors[lane] = corner.color;
            if (lane == 0u) {
                polygon_mask.slot = slot;
                polygon_mask.factor = material.base_color.w;
                polygon_mask.cutoff = mask_cutoff(sublet.instance, material);
            }
        } else {
            polygon[0][lane] = sublet_clip(sublet, vertex);
        }
    }
    barrier();
    if (lane == 0u) {
        uint codes[3] = uint[3](clip_code(polygon[0][0]), clip_code(polygon[0][1]), clip_code(polygon[0][2]));
        bool outside = (codes[0] & codes[1] & codes[2] & kClipOutside) != 0u;
        bool cut = ((codes[0] | codes[1] | codes[2]) & kClipMayClip) != 0u;
        polygon_corners = outside ? 0u : 3u;
        polygon_cut = cut;
        if (cut && !outside) {
            polygon_corners = cut_polygon();
        }
    }
    barrier();
    uint winding = instance_winding(instances[polygon_sublet.instance].flags);
    for (uint i = 2u; i < polygon_corners; ++i) {
        vec4 clip[3] = vec4[3](polygon[0][0], polygon[0][i - 1u], polygon[0][i]);
        RasterTriangle t;
        if (make_raster_triangle(clip, winding, constants.size, t) &&
            (all || polygon_cut || !is_narrow(t))) {
            draw_block(t, Seen(polygon_sublet.instance, polygon_sublet.number, triangle));
        }
    }
}

// What a workgroup draws at a time: of few words, since GPUs keep all of them in scalar registers.
struct Item {
    uvec2 entry;   // the instance; and the sublet, or of a task the entry of its places
    uint sublets;  // 0: nothing; 1; or those of a task
    uint range;    // of the triangles of each: the first | the end << 16
    uint block;    // of the window, as it is listed; kWholeWindow
};
const uint kAllTriangles = kSubletSize << 16u;

uint one_triangle(uint triangle) { return triangle | (triangle + 1u) << 16u; }

// How many there are. Looked up when they are asked for: kept, they would take scalar registers too.
uint listed_triangles() {
    return constants.rest == kRestAlone ? 0u : min(state.draws.raster.triangles, constants.large_capacity);
}
uint left_over() {
    return constants.rest == kRestAlone ? 0u : min(state.draws.raster.sublets, left_sublets.length());
}
uint rest_tasks() { return constants.rest != kRestNot && state.undone.count != 0u ? frame.task_count : 0u; }

// A triangle in a block of the window; large triangles of a sublet that was left, or one; or all of a task.
Item item_of(uint number) {
    uint triangles = listed_triangles();
    uint left = left_over();
    Item item = Item(uvec2(0u), 1u, kAllTriangles, kWholeWindow);
    if (number < triangles) {
        uvec2 listed = large[number];
        item.sublets = listed.x == kNoSlot ? 0u : 1u;
        item.entry = item.sublets != 0u ? survivors[listed.x] : uvec2(0u);
        item.range = one_triangle(listed.y & 31u);
        item.block = listed.y >> 5u;
    } else if (number < triangles + left) {
        uint listed = left_sublets[number - triangles];
        item.entry = survivors[kLayers ? listed / kSubletSize : listed];
        item.range = kLayers ? one_triangle(listed % kSubletSize) : kAllTriangles;
    } else {
        item.entry = task_of(number - triangles - left);
        bool drawn = !instance_invisible(item.entry.x) && phase_has(item.entry.x);
        item.sublets = drawn ? kTaskMeshlets * kSubletsPerMeshlet : 0u;
    }
    return item;
}

void main() {
    // All in one loop: compilers take long for each copy of the code that draws.
    for (uint i = gl_WorkGroupID.x; i < listed_triangles() + left_over() + rest_tasks(); i += gl_NumWorkGroups.x) {
        Item item = item_of(i);
        for (uint k = 0u; k < item.sublets; ++k) {
            uint sublet_in_mesh = item.entry.y;
            if (item.sublets > 1u) {
                uint mesh = instances[item.entry.x].mesh;
                uint place = entry_first(item.entry.y, kTaskMeshlets) + k / kSubletsPerMeshlet;
                if (!entry_has(item.entry.y, k / kSubletsPerMeshlet, kTaskMeshlets) ||
                    !place_in_cut(item.entry.x, place)) {
                    continue;
                }
                sublet_in_mesh = meshlet_at(mesh, place) * kSubletsPerMeshlet + k % kSubletsPerMeshlet;
                if (sublet_in_mesh >= meshes[mesh].sublet_count) {
                    continue;
                }
            }
            Sublet sublet = load_sublet(item.entry.x, sublet_in_mesh);
            barrier();  // the last one is done with
            if (gl_LocalInvocationIndex == 0u) {
                polygon_sublet = sublet;
                polygon_block = item.block;
            }
            uint end = min(item.range >> 16u, sublet.triangle_count);
            for (uint triangle = item.range & 0xffffu; triangle < end; ++triangle) {
                draw_triangle(triangle, kLayers || item.sublets > 1u);
            }
        }
    }
}
