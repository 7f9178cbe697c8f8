// Culls single triangles: 32 lanes a surviving sublet. What survives goes to one transient buffer, a region for each
// draw class: as indices for one indexed draw (slot of the sublet within its class * 32 + vertex), each three with a
// word that tells the triangle (slot * 32 + triangle); as batches for mesh shaders, or as masks for a task shader: for
// each slot two words, a bit for each triangle that survives and one for each vertex that those need.
//
// A batch is a mesh shader's workgroup: up to kBatch vertices and kBatch triangles of consecutive sublets, one of each
// for a lane. Batch b is 2 kBatch words, those of its vertices (as the indices above) and then those of its triangles
// (three vertices of the batch, then the triangle's number, 8 bits each); its header, vertices | triangles << 16, lies
// with the other headers.
//
// Eight consecutive slots are a run: one atomic for each makes room for all that survives of it.
// SUBGROUP32: 32 lanes of a subgroup take the sublets of a run in turn; else the 256 lanes of a workgroup take them all
// at once, and exchange by shared memory, right for subgroups of any size.
//
// With occlusion culling down to triangles (kPrimitiveBits) there is a table of words for sublets, a bit for each
// triangle, beside that of bits of meshlets (chain.glsl). Phase 1 draws the triangles whose bit is set; phase 2 (kHiz,
// which reads the depth image too) tests all of a visible meshlet's, sets the bits of those that are visible, and draws
// the ones that phase 1 did not.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP32
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#endif

#include "shared/passes.h"
#include "shared/primitives.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindSurvivors, std430) readonly buffer SurvivorList { uvec2 survivors[]; };
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };
layout(set = kPassSet, binding = kBindTriangles, std430) writeonly buffer Output { uint output_words[]; };
layout(set = kPassSet, binding = kBindVisibleBefore, std430) readonly buffer VisibleBefore { uint visible_before[]; };
layout(set = kPassSet, binding = kBindDetailsBefore, std430) readonly buffer WordsBefore { uint words_before[]; };
layout(set = kPassSet, binding = kBindDetailsAfter, std430) buffer WordsAfter { uint words_after[]; };

layout(push_constant) uniform Push { CullPrimitivesConstants constants; };

layout(constant_id = kSpecCount) const bool kCount = false;
layout(constant_id = kSpecTriangleForm) const uint kForm = kPrimitiveIndices;  // shared/primitives.h
layout(constant_id = kSpecPhase) const uint kPhase = 0u;
layout(constant_id = kSpecPrimitiveBits) const bool kPrimitiveBits = false;
const bool kBitsAlone = kPrimitiveBits && kPhase == 1u;  // what was visible is drawn without a test: it mostly is again
const bool kHiz = kPrimitiveBits && kPhase == 2u;

#ifdef SUBGROUP32
#define PRIMITIVE_LANES 128
#else
#define PRIMITIVE_LANES 256
#endif
layout(local_size_x = PRIMITIVE_LANES) in;

#define GROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/mesh_draws.glsl"
#include "cull/primitive_cull.glsl"
#include "scene/sublet_geometry.glsl"
#define PRIMITIVE_BOUNDS
#include "cull/sublet_primitives.glsl"
#include "cull/bit_words.glsl"
#include "cull/cut.glsl"
#define HIZ_PIXELS
#include "cull/occlusion_view.glsl"

// Whether phase 1 looked at the triangles of a meshlet's sublets.
bool looked_at(uint instance, uint meshlet) {
    uint place = place_of(instances[instance].mesh, meshlet);
    uint word = visible_before[task_word(instance, place)];
    return (word >> place % kTaskMeshlets & 1u) != 0u;
}

// The sublet of a slot; one without triangles where the list has none.
Sublet sublet_at(uint draw_class, uint slot, uint end, out uint word, out uint before) {
    word = 0u;
    before = 0u;
    if (slot >= end) {
        return no_sublet();
    }
    uvec2 entry = survivors[frame.classes[draw_class].first_slot + slot];
    if (kPrimitiveBits) {
        word = sublet_word(entry.x, entry.y);
        before = words_before[word];
        if (kHiz && before != 0u && !looked_at(entry.x, entry.y / kSubletsPerMeshlet)) {
            before = 0u;  // another sublet's word
        }
    }
    return load_sublet(entry.x, entry.y);
}

// Whether this lane's triangle is visible, as far as this phase looks, and its corners. All lanes of the workgroup come
// here together.
bool lane_visible(Sublet sublet, uint lane, uint draw_class, uint before, out uvec3 corners, out uint verdict) {
    verdict = kPasses;
    if (kBitsAlone) {
        // The word may be of another sublet, which has more.
        bool visible = lane < sublet.triangle_count && (before >> lane & 1u) != 0u;
        corners = visible ? sublet_triangle(sublet, lane) : uvec3(0u);
        return visible;
    }
    SubletLane result = cull_sublet_primitives(sublet, lane, draw_class);
    corners = result.triangle;
    verdict = result.verdict;
    if (kHiz && result.keep && !result.clipped) {
        bool hidden = window_box_occluded(occlusion, vec2(result.first_pixel), vec2(result.last_pixel), result.nearest);
        verdict = hidden ? kHidden : kPasses;
        return !hidden;
    }
    return result.keep;
}

// Of the sublet that this lane has a triangle of. Phase 1 counts those triangles that have a bit, phase 2 the others.
void count_triangles(Sublet sublet, uint lane, uint before, uint verdict) {
    if (lane == 0u) {
        count_sum(kCounterTriangles, kHiz && before != 0u ? 0u : sublet.triangle_count);
        count_sum(kCounterPrimitivesTested, kBitsAlone ? 0u : sublet.triangle_count);
    }
    if (!kHiz || (before >> lane & 1u) == 0u) {
        count_rejected(kCounterTrianglesRejected, verdict);
        count_lanes(kCounterTrianglesRejected + kBetweenPixels - kOutside, verdict == kBetweenPixels);
    }
}

#include "cull/triangle_runs.glsl"
#ifdef SUBGROUP32
#include "cull/primitives_subgroup.glsl"
#else
#include "cull/primitives_workgroup.glsl"
#endif
