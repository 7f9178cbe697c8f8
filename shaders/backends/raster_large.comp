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

shared vec4 polygon[2][8];
shared uint polygon_corners;
shared bool polygon_cut;
shared MaskTriangle polygon_mask;  // made a corner a lane: by all alike it would take a GPU's scalar registers

#include "backends/raster_cut.glsl"

// The pixels `first` to `last` of a triangle, by the workgroup.
void draw_block(RasterTriangle t, Seen seen, ivec2 first, ivec2 last) {
    uvec2 id = pixel_id(seen);
    bool masked = kMasked && is_alpha_tested(instances[seen.instance].flags & kInstanceClassMask);
    uint first_pixel = kMasked ? layer_of(seen.instance) : 0u;
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
void draw_triangle(Sublet sublet, uint sublet_in_mesh, uint triangle, ivec2 first, ivec2 last, bool all) {
    uint lane = gl_LocalInvocationIndex;
    barrier();  // the last one's polygon is done with
    if (lane < 3u) {
        uint vertex = sublet_triangle(sublet, triangle)[lane];
        polygon[0][lane] = sublet_clip(sublet, vertex);
        if (kMasked) {
            Material material = mask_material(sublet.instance);
            MaskCorner corner = mask_corner(sublet, material.base_color_texture, vertex);
            polygon_mask.corners[lane] = corner.clip;
            polygon_mask.uv[lane] = corner.uv;
            polygon_mask.alpha[lane] = corner.alpha;
            if (lane == 0u) {
                polygon_mask.slot = material.base_color_texture;
                polygon_mask.factor = material.base_color.w;
                polygon_mask.cutoff = material.emissive.w;
            }
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
    uint winding = instance_winding(instances[sublet.instance].flags);
    for (uint i = 2u; i < polygon_corners; ++i) {
        vec4 clip[3] = vec4[3](polygon[0][0], polygon[0][i - 1u], polygon[0][i]);
        RasterTriangle t;
        if (make_raster_triangle(clip, winding, constants.size, t) &&
            (all || polygon_cut || !is_narrow(t))) {
            draw_block(t, Seen(sublet.instance, sublet_in_mesh, triangle), first, last);
        }
    }
}

// Whether what is drawn without lists is of the draw classes of this phase.
bool is_of_phase(uint instance) {
    bool blended = (instances[instance].flags & kInstanceClassMask) == kClassBlended;
    return constants.phase_classes == kPhaseClassesAll ||
           blended == (constants.phase_classes == kPhaseClassesBlended);
}

void main() {
    uint triangles = constants.rest == kRestAlone ? 0u : min(state.draws.raster.triangles, constants.large_capacity);
    for (uint i = gl_WorkGroupID.x; i < triangles; i += gl_NumWorkGroups.x) {
        if (large[i].x == kNoSlot) {
            continue;
        }
        uvec2 entry = survivors[large[i].x];
        ivec2 first = ivec2(uvec2(large[i].y >> 16u, large[i].y >> 5u & 0x7ffu) * kRasterBlock);
        ivec2 last = first + ivec2(kRasterBlock) - 1;
        draw_triangle(load_sublet(entry.x, entry.y), entry.y, large[i].y & 31u, first, last, false);
    }
    // Whole sublets, and tasks of them, in one loop: compilers take long for each copy of the code that draws.
    uint left = constants.rest == kRestAlone ? 0u : state.draws.raster.sublets;
    uint all = left + (constants.rest != kRestNot && state.undone.count != 0u ? frame.task_count : 0u);
    for (uint i = gl_WorkGroupID.x; i < all; i += gl_NumWorkGroups.x) {
        bool whole = i >= left;  // a task
        uvec2 entry = whole ? task_of(i - left) : survivors[left_sublets[i] / (kLayers ? kSubletSize : 1u)];
        uint mesh = instances[entry.x].mesh;
        uint sublets = whole ? kTaskMeshlets * kSubletsPerMeshlet : 1u;
        for (uint k = 0u; k < sublets; ++k) {
            uint sublet_in_mesh = entry.y;
            if (whole) {
                uint place = entry_first(entry.y, kTaskMeshlets) + k / kSubletsPerMeshlet;
                if (instance_invisible(entry.x) || !is_of_phase(entry.x) || !entry_has(entry.y, k / kSubletsPerMeshlet, kTaskMeshlets) ||
                    !place_in_cut(entry.x, place)) {
                    continue;
                }
                sublet_in_mesh = meshlet_at(mesh, place) * kSubletsPerMeshlet + k % kSubletsPerMeshlet;
                if (sublet_in_mesh >= meshes[mesh].sublet_count) {
                    continue;
                }
            }
            Sublet sublet = load_sublet(entry.x, sublet_in_mesh);
            bool one = kLayers && !whole;
            uint triangle = one ? left_sublets[i] % kSubletSize : 0u;
            uint end = one ? triangle + 1u : sublet.triangle_count;
            for (; triangle < end; ++triangle) {
                draw_triangle(sublet, sublet_in_mesh, triangle, ivec2(0), ivec2(constants.size) - 1, whole);
            }
        }
    }
}
