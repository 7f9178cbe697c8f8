// Lists meshlets for the pass over their sublets (cull/sublets.comp). One goes there once the list that it fills has
// room for all of them: that pass finds room for whatever survives.

#include "shared/graph.h"

layout(set = kPassSet, binding = kBindQueue, std430) writeonly buffer Queue { SubletsPayload queued[]; };

uint work_item(Group group) { return group.number * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

// Room for all sublets of so many.
uint claim_slots(uint draw_class, uint meshlets) {
    uint claimed = atomicAdd(state.survivors.classes[draw_class].claimed, meshlets * kSubletsPerMeshlet);
    return claimed / kSubletsPerMeshlet;
}
#include "cull/append_by_class.glsl"

// All lanes come here together.
void append_survivor(Group group, bool live, Survivor survivor) {
    if (kMayStop) {
        uint draw_class = live ? instances[survivor.instance].flags & kInstanceClassMask : 0u;
        uint slot = append_by_class(live, draw_class);
        if (live && (slot + 1u) * kSubletsPerMeshlet > frame.classes[draw_class].slots) {
            leave_item(gl_LocalInvocationIndex);
            live = false;
        }
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            leave_group(group, false);
        }
    }
    uvec4 ballot = subgroupBallot(live);
    uint total = subgroupBallotBitCount(ballot);
    uint base = 0u;
    if (total != 0u && subgroupElect()) {
        base = atomicAdd(state.queued.count, total);
        uint last = (base + total - 1u) / kSubletsTakes;
        atomicMax(state.queued.groups.x, min(last + 1u, kDispatchRow));
        atomicMax(state.queued.groups.y, last / kDispatchRow + 1u);
    }
    base = subgroupBroadcastFirst(base);
    if (live) {
        queued[base + subgroupBallotExclusiveBitCount(ballot)] = SubletsPayload(survivor.instance, survivor.meshlet);
    }
    count_drawn(live, survivor);
}
