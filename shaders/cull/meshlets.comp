// Culls meshlets: one lane per meshlet of a surviving instance, as the expansion deals them out. Tests what its
// phase has (chain.glsl), and appends what survives to a list for each draw class, as far as that has room
// (rounds.glsl):
//   meshlets, with a draw of each (surviving_meshlets.glsl);
//   SUBLETS: their sublets that survive in turn, or runs of neighbours among those (surviving_sublets.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };
// uvec2(instance, meshlet or sublet of its mesh), by slot
layout(set = kPassSet, binding = kBindSurvivors, std430) writeonly buffer SurvivorList { uvec2 survivors[]; };

layout(local_size_x = 128) in;
layout(constant_id = kSpecCount) const bool kCount = false;

layout(push_constant) uniform Push { CullMeshletsConstants constants; };
#include "expansion/expansion.glsl"
#define GROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/chain.glsl"
#include "cull/funnel.glsl"
#include "cull/rounds.glsl"

// One that survives: how the includes below are told of it.
struct Survivor {
    uint instance;
    uint meshlet;         // of the instance's mesh
    uint global_meshlet;  // of the scene
    bool drawn_before;    // in this frame, by phase 1
    uint bits;            // number of its bit in the table
};

#ifdef SUBLETS
#include "cull/surviving_sublets.glsl"
#else
#include "cull/surviving_meshlets.glsl"
#endif

void main() {
    Group group = begin_round();
    if (!group.there || stops(group)) {
        return;
    }
    begin_counts();
    uint work = work_item(group);
    if (!kFurtherRound && work == 0u && expansion_overflow() != 0u) {
        count(kCounterOverflow, expansion_overflow());
        if (kMayStop) {
            lose();
        }
    }
    Survivor survivor = Survivor(0u, 0u, 0u, false, 0u);
    uint place;
    bool live = expansion_pop(work, survivor.instance, place) && group.mine;
    if (kLevels && live) {
        place += expansion_first[survivor.instance];
        live = place_in_cut(survivor.instance, place);
    }
    uint task = live ? task_word(survivor.instance, place) : 0u;
    uint word = live && phase_has_bits() ? visible_before[task] : 0u;
    uint bit = place % kTaskMeshlets;
    bool counted = live && counts_meshlet(word, bit);
    uint verdict = kUnseen;
    if (live) {
        // With finer bits phase 2 looks again at those that phase 1 drew.
        survivor.drawn_before = (kPrimitiveBits || kSubletBits) && phase.number == 2u && (word >> bit & 1u) != 0u;
        survivor.bits = task * kTaskMeshlets + bit;
        uint mesh = instances[survivor.instance].mesh;
        survivor.meshlet = meshlet_at(mesh, place);
        survivor.global_meshlet = meshes[mesh].first_meshlet + survivor.meshlet;
        verdict = meshlet_verdict(survivor.instance, survivor.meshlet, word, bit);
        if (phase.number == 2u && verdict == kPasses) {
            atomicOr(visible_after[task], 1u << bit);
        }
        live = lists_meshlet(verdict, word, bit);
    }
    if (kCount) {
        // What a round leaves to the next one has passed.
        count_lanes(kCounterMeshletsTested, counted && group.untested);
        count_rejected(kCounterMeshletsRejected, counted ? counted_as(verdict) : kUnseen);
        count_cut(counted && group.untested, survivor.instance, survivor.meshlet);
    }
    append_survivor(group, live, survivor);
    end_counts();
}
