// Culls meshlets: one lane per meshlet of a surviving instance, as the expansion deals them out. Tests what its
// phase has (chain.glsl), and appends what survives to a list for each draw class, as far as that has room
// (rounds.glsl):
//   meshlets, with a draw of each (surviving_meshlets.glsl);
//   SUBLETS: their sublets that survive in turn, or runs of neighbours among those (surviving_sublets.glsl);
//   QUEUE: to a queue for a pass over their sublets (queued_meshlets.glsl).
// NODE_AMDX: a node that the driver plays, which emits what survives (node_meshlets.glsl).
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "shared/passes.h"
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindState, std430) buffer State { CullState state; };
layout(constant_id = kSpecCount) const bool kCount = false;

#ifdef NODE_AMDX
#include "cull/node.glsl"
layout(local_size_x = kMeshletsLanes) in;
#else
// uvec2(instance, meshlet or sublet of its mesh), by slot
layout(set = kPassSet, binding = kBindSurvivors, std430) writeonly buffer SurvivorList { uvec2 survivors[]; };

layout(local_size_x = 128) in;
layout(push_constant) uniform Push { CullMeshletsConstants constants; };
#include "expansion/expansion.glsl"
#endif
#define GROUP_COUNTERS
#include "cull/counters.glsl"
#include "cull/chain.glsl"
#include "cull/funnel.glsl"
#include "cull/look_at_meshlet.glsl"

#ifdef NODE_AMDX
#include "cull/node_meshlets.glsl"

void main() {
    begin_counts();
    uint instance;
    uint place;
    Survivor survivor = Survivor(0u, 0u, 0u, false, 0u);
    bool live = take_meshlet(instance, place) && look_at_meshlet(instance, place, true, survivor);
    emit_survivor(live, survivor);
    end_counts();
}
#else
#include "cull/rounds.glsl"
#if defined(SUBLETS)
#include "cull/surviving_sublets.glsl"
#elif defined(QUEUE)
#include "cull/queued_meshlets.glsl"
#else
#include "cull/surviving_meshlets.glsl"
#endif

// This lane's meshlet, if there is one: which instance's, and its place.
bool take_meshlet(Group group, out uint instance, out uint place) {
    uint work = work_item(group);
    if (!kFurtherRound && work == 0u && expansion_overflow() != 0u) {
        count(kCounterOverflow, expansion_overflow());
        if (kMayStop) {
            lose();
        }
    }
    bool live = expansion_pop(work, instance, place) && group.mine;
    if (kLevels && live) {
        place += expansion_first[instance];
    }
    return live;
}

void main() {
    Group group = begin_round();
    if (!group.there || stops(group)) {
        return;
    }
    begin_counts();
    uint instance;
    uint place;
    Survivor survivor = Survivor(0u, 0u, 0u, false, 0u);
    bool live = take_meshlet(group, instance, place) && look_at_meshlet(instance, place, group.untested, survivor);
    append_survivor(group, live, survivor);
    end_counts();
}
#endif
