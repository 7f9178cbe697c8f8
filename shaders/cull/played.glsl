// How the node `sublets` (shared/graph.h) takes and emits payloads where ordinary compute plays it: what its body knows
// of queues. The includer declares `state` (CullState). What emits is called by all lanes of the workgroup together.

#include "cull/mesh_draws.glsl"

layout(set = kPassSet, binding = kBindQueue, std430) readonly buffer Queue { SubletsPayload queued[]; };
// uvec2(instance, sublet of its mesh): DrawPayload, by slot
layout(set = kPassSet, binding = kBindSurvivors, std430) writeonly buffer SurvivorList { uvec2 survivors[]; };

// Of the mesh shader's workgroups; 0: there is none.
layout(constant_id = kSpecSubletsPerGroup) const uint kSubletsPerGroup = 1u;

uint first_payload() { return (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * kSubletsTakes; }
// Those that this workgroup takes, up to kSubletsTakes.
uint payloads_taken() { return min(state.queued.count - min(first_payload(), state.queued.count), kSubletsTakes); }
// (instance, meshlet of its mesh).
uvec2 payload_taken(uint number) {
    SubletsPayload taken = queued[first_payload() + number];
    return uvec2(taken.instance, taken.meshlet);
}

// For each draw class: payloads that this workgroup emits, and the slot of the first one.
shared uint group_slots[kDrawClasses];
shared uint group_base[kDrawClasses];

// `draw`: (instance, sublet of its mesh). One claim for each class and workgroup. There is room: queued_meshlets.glsl
// saw to it.
void emit_draw(bool live, uint draw_class, uvec2 draw) {
    uint lane = gl_LocalInvocationIndex;
    if (lane < kDrawClasses) {
        group_slots[lane] = 0u;
    }
    barrier();
    uint slot = live ? atomicAdd(group_slots[draw_class], 1u) : 0u;
    barrier();
    if (lane < kDrawClasses && group_slots[lane] != 0u) {
        uint first = atomicAdd(state.survivors.classes[lane].draw.instances, group_slots[lane]);
        if (kSubletsPerGroup != 0u) {
            cover_groups(lane, first / kSubletsPerGroup, (first + group_slots[lane] - 1u) / kSubletsPerGroup);
        }
        group_base[lane] = frame.classes[lane].first_slot + first;
    }
    barrier();
    if (live) {
        survivors[group_base[draw_class] + slot] = draw;
    }
}
