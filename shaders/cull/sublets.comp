// Culls sublets: a lane for each sublet of the meshlets that a workgroup takes. Those that survive are emitted for
// their draw class. A node of the execution graph (shared/graph.h), played by ordinary compute or, NODE_AMDX, by the
// driver (node.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/graph.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };

layout(local_size_x = kSubletsLanes) in;
layout(constant_id = kSpecCount) const bool kCount = false;

#define GROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/chain.glsl"
#include "cull/sublet_bits.glsl"
#ifdef NODE_AMDX
#include "cull/node.glsl"
#include "cull/node_sublets.glsl"
#else
#include "cull/played.glsl"
#endif
#include "scene/sublet_records.glsl"

void main() {
    begin_counts();
    uint number = gl_LocalInvocationIndex / kSubletsPerMeshlet;
    uint bit = gl_LocalInvocationIndex % kSubletsPerMeshlet;
    uvec2 draw = uvec2(0u);  // (instance, sublet of its mesh)
    uint mesh = 0u;
    bool live = number < payloads_taken();
    if (live) {
        uvec2 taken = payload_taken(number);
        draw = uvec2(taken.x, taken.y * kSubletsPerMeshlet + bit);
        mesh = instances[draw.x].mesh;
        live = draw.y < meshes[mesh].sublet_count;
    }
    if (live) {
        // What the last frame saw of them is drawn without a test: it mostly is visible again.
        uint bits = 0u;
        bool before = false;
        if (kSubletBits) {
            uint place = place_of(mesh, draw.y / kSubletsPerMeshlet);
            bits = task_word(draw.x, place) * kTaskMeshlets + place % kTaskMeshlets;
            before = (sublets_before(bits) >> bit & 1u) != 0u;
        }
        bool known = kSubletBits && phase.number == 1u;
        uint verdict = known ? (before ? kPasses : kUnseen) : sublet_verdict(draw.x, draw.y);
        live = verdict == kPasses;
        if (kSubletBits && phase.number == 2u) {
            if (live) {
                keep_sublets(1u << bit, bits);
            }
            live = live && !before;  // phase 1 drew it, and counted it
            verdict = before ? kUnseen : verdict;
        }
        if (kCount) {
            count_rejected(kCounterSubletsRejected, counted_as(verdict));
            count_lanes(kCounterSubletsDrawn, live);
            if (kSubletsPerGroup == 0u) {  // nobody looks at its triangles
                count_sum(kCounterPrimitivesDrawn, live ? sublet_record(mesh, draw.y).y & 0xffu : 0u);
            }
        }
    }
    emit_draw(live, instances[draw.x].flags & kInstanceClassMask, draw);
    end_counts();
}
