// The workgroup goes on, together, from the meshlets that it found visible to their sublets. The includer defines
//   bool sublet_passes(mesh, sublet, instance)   whether a sublet of a surviving meshlet goes on
//   uint slots_of(mask)                          slots that those of one meshlet take
//   uint claim_slots(draw_class, count)          makes room for so many, and returns the first slot
//   void append(slot, meshlet, mask)             by all lanes together: the sublets of a lane's meshlet, from `slot` on

// (instance, meshlet), and a bit for each sublet that is visible.
shared uvec2 group_survivors[128];
shared uint group_masks[128];
shared uint group_count;
// For each draw class: how many slots this workgroup takes, and the first of them.
shared uint group_slots[kDrawClasses];
shared uint group_base[kDrawClasses];

bool sublet_passes(uint mesh, uint sublet, uint instance);
uint slots_of(uint mask);
uint claim_slots(uint draw_class, uint slots);
void append(uint slot, uvec2 meshlet, uint mask);

void list_meshlets(bool live, Survivor survivor) {
    group_masks[gl_LocalInvocationIndex] = 0u;
    if (gl_LocalInvocationIndex < kDrawClasses) {
        group_slots[gl_LocalInvocationIndex] = 0u;
        group_base[gl_LocalInvocationIndex] = 0u;
    }
    if (gl_LocalInvocationIndex == 0u) {
        group_count = 0u;
    }
    barrier();
    uvec4 ballot = subgroupBallot(live);
    uint total = subgroupBallotBitCount(ballot);
    uint base = 0u;
    if (subgroupElect() && total != 0u) {
        base = atomicAdd(group_count, total);
    }
    base = subgroupBroadcastFirst(base);
    if (live) {
        group_survivors[base + subgroupBallotExclusiveBitCount(ballot)] = uvec2(survivor.instance, survivor.meshlet);
    }
    barrier();
}

// One atomic on global memory per class and workgroup, since atomics on one address are what would bound this pass.
void append_survivor(bool live, Survivor survivor) {
    list_meshlets(live, survivor);
    if (kCount) {
        count_lanes(kCounterMeshletsDrawn, live && !survivor.drawn_before);
    }
    uint total = group_count * kSubletsPerMeshlet;
    for (uint i = gl_LocalInvocationIndex; i < total; i += gl_WorkGroupSize.x) {
        uvec2 meshlet = group_survivors[i / kSubletsPerMeshlet];
        uint sublet = meshlet.y * kSubletsPerMeshlet + i % kSubletsPerMeshlet;
        uint mesh = instances[meshlet.x].mesh;
        if (sublet < meshes[mesh].sublet_count && sublet_passes(mesh, sublet, meshlet.x)) {
            atomicOr(group_masks[i / kSubletsPerMeshlet], 1u << (i % kSubletsPerMeshlet));
        }
    }
    barrier();
    uint lane = gl_LocalInvocationIndex;
    uint mask = lane < group_count ? group_masks[lane] : 0u;
    uvec2 meshlet = lane < group_count ? group_survivors[lane] : uvec2(0u);
    uint draw_class = instances[meshlet.x].flags & kInstanceClassMask;
    uint slot = 0u;
    if (mask != 0u) {
        slot = atomicAdd(group_slots[draw_class], slots_of(mask));
    }
    barrier();
    if (lane < kDrawClasses && group_slots[lane] != 0u) {
        group_base[lane] = claim_slots(lane, group_slots[lane]);
    }
    barrier();
    append(slot + group_base[draw_class], meshlet, mask);
}
