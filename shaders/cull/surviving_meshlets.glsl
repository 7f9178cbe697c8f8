// Lists meshlets, with a draw of each.

#include "cull/indirect_draws.glsl"

layout(constant_id = kSpecWriteDraws) const bool kWriteDraws = true;

uint work_item(Group group) { return scattered_item(group); }

uint claim_slots(uint draw_class, uint slots) {
    uint base = atomicAdd(state.survivors.classes[draw_class].claimed, slots);
    uint room = frame.classes[draw_class].slots;
    if (!kMayStop || base < room) {
        uint end = kMayStop ? min(base + slots, room) : base + slots;
        atomicMax(state.survivors.classes[draw_class].draw.instances, end);
    }
    return base;
}
#include "cull/append_by_class.glsl"

// All lanes come here together.
void append_survivor(Group group, bool live, Survivor survivor) {
    MeshletRange range = MeshletRange(0u, 0u, 0u, 0u);
    uint draw_class = 0u;
    if (live) {
        range = meshlet_ranges[survivor.global_meshlet];
        draw_class = instances[survivor.instance].flags & kInstanceClassMask;
    }
    uint slot = append_by_class(live, draw_class);
    if (kMayStop) {
        if (live && slot >= frame.classes[draw_class].slots) {
            leave_item(gl_LocalInvocationIndex);
            live = false;
        }
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            leave_group(group, false);
        }
    }
    if (live) {
        slot += frame.classes[draw_class].first_slot;
        uint mesh = instances[survivor.instance].mesh;
        uvec2 entry = uvec2(survivor.instance, survivor.meshlet * kSubletsPerMeshlet);
        if (kWriteDraws) {
            write_draw(slot, entry, min(meshes[mesh].sublet_count - entry.y, kSubletsPerMeshlet), range);
        } else {
            survivors[slot] = entry;
        }
    }
    if (kCount) {
        count_lanes(kCounterMeshletsDrawn, live);
        count_level(live, survivor.instance, survivor.meshlet);
        count_sum(kCounterPrimitivesDrawn, live ? range.triangle_count : 0u);
    }
}
