// The workgroup goes on, together, from the meshlets that it found visible to their sublets. The includer defines
//   uint sublet_verdict(mesh, sublet, instance)  whether a sublet of a surviving meshlet goes on: kPasses
//   bool in_phase_1(sublet, instance)            with kPrimitiveBits: whether phase 1 drew of it, to be counted once
//   uint sublets_before(bits)                    with kSubletBits: those of a meshlet that the last frame saw
//   uint new_sublets(mask, bits)                 of those that a meshlet shows, the ones to be listed; remembers them
//   uint slots_of(mask)                          slots that those of one meshlet take
//   void use_slots(draw_class, first, end)       by one lane: these slots of the list will have something in them
//   void append(slot, meshlet, mask)             by all lanes together: the sublets of a lane's meshlet, from `slot` on

// (instance, meshlet), the lane that found it, the number of its bits, and a bit for each sublet that is visible.
shared uvec2 group_survivors[128];
shared uint group_lanes[128];
shared uint group_bits[128];
shared uint group_masks[128];
shared uint group_count;
// Where that is counted: of each survivor, a bit for each sublet that is rejected, eight for each verdict from kOutside
// on, and eight more for those that phase 1 counted.
const uint kCountedSurvivors = kCount ? 128u : 1u;
const uint kCountedBefore = 24u;  // the first of those bits
shared uint group_rejected[kCountedSurvivors];
// For each draw class: how many slots this workgroup takes, the first of them, and where those end that there are.
shared uint group_slots[kDrawClasses];
shared uint group_base[kDrawClasses];
shared uint group_end[kDrawClasses];

uint sublet_verdict(uint mesh, uint sublet, uint instance);
bool in_phase_1(uint sublet, uint instance);
uint sublets_before(uint bits);
uint new_sublets(uint mask, uint bits);
uint slots_of(uint mask);
void use_slots(uint draw_class, uint first, uint end);
void append(uint slot, uvec2 meshlet, uint mask);

void list_meshlets(bool live, Survivor survivor) {
    group_masks[gl_LocalInvocationIndex] = 0u;
    if (kCount) {
        group_rejected[gl_LocalInvocationIndex] = 0u;
    }
    if (gl_LocalInvocationIndex < kDrawClasses) {
        group_slots[gl_LocalInvocationIndex] = 0u;
        group_base[gl_LocalInvocationIndex] = 0u;
        group_end[gl_LocalInvocationIndex] = 0u;
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
        uint place = base + subgroupBallotExclusiveBitCount(ballot);
        group_survivors[place] = uvec2(survivor.instance, survivor.meshlet);
        group_lanes[place] = gl_LocalInvocationIndex;
        if (kSubletBits) {
            group_bits[place] = survivor.bits;
        }
    }
    barrier();
}

// By one lane: the slots of a class from `first` to `end` are in use. None before them is free, for those of claims
// that fit lie side by side, and of one that does not fit all, the first ones are used.
void grow_list(uint draw_class, uint first, uint end) {
    atomicMax(state.survivors.classes[draw_class].draw.instances, end);
    use_slots(draw_class, first, end);
}

// Keeps for counters what became of a sublet: number `bit` of survivor `place`.
void note_verdict(uint place, uint bit, uint verdict, bool before) {
    uint at = verdict >= kOutside && verdict <= kHidden ? (verdict - kOutside) * kSubletsPerMeshlet + bit : ~0u;
    at = before ? kCountedBefore + bit : at;
    if (at != ~0u) {
        atomicOr(group_rejected[place], 1u << at);
    }
}

// By all lanes together: of survivor number `lane`, unless it is left to the next round. `mask`: what is listed of it.
void count_sublets(uint lane, bool there, uint mask) {
    uint rejected = there ? group_rejected[lane] : 0u;
    uint before = rejected >> kCountedBefore;
    if (kSubletBits && kPhase == 2u && there) {
        before = sublets_before(group_bits[lane]);
    }
    for (uint reason = 0u; reason < kHidden; ++reason) {
        uint bits = rejected >> (reason * kSubletsPerMeshlet) & 0xffu & ~before;
        count_sum(kCounterSubletsRejected + reason, bitCount(bits));
    }
    count_sum(kCounterSubletsDrawn, bitCount(mask & ~before));
}

// One claim on global memory per class and workgroup, since atomics on one address are what would bound this pass.
void append_survivor(Group group, bool live, Survivor survivor) {
    list_meshlets(live, survivor);
    // What the last frame saw of them is drawn without a test: it mostly is visible again.
    bool known = kSubletBits && kPhase == 1u;
    uint total = known ? 0u : group_count * kSubletsPerMeshlet;
    for (uint i = gl_LocalInvocationIndex; i < total; i += gl_WorkGroupSize.x) {
        uvec2 meshlet = group_survivors[i / kSubletsPerMeshlet];
        uint sublet = meshlet.y * kSubletsPerMeshlet + i % kSubletsPerMeshlet;
        uint mesh = instances[meshlet.x].mesh;
        if (sublet < meshes[mesh].sublet_count) {
            uint verdict = sublet_verdict(mesh, sublet, meshlet.x);
            if (verdict == kPasses) {
                atomicOr(group_masks[i / kSubletsPerMeshlet], 1u << (i % kSubletsPerMeshlet));
            }
            if (kCount) {
                note_verdict(i / kSubletsPerMeshlet, i % kSubletsPerMeshlet, verdict, in_phase_1(sublet, meshlet.x));
            }
        }
    }
    barrier();
    uint lane = gl_LocalInvocationIndex;
    if (kSubletBits && lane < group_count) {
        uint bits = group_bits[lane];
        group_masks[lane] = known ? sublets_before(bits) : new_sublets(group_masks[lane], bits);
    }
    uint mask = lane < group_count ? group_masks[lane] : 0u;
    uvec2 meshlet = lane < group_count ? group_survivors[lane] : uvec2(0u);
    uint draw_class = instances[meshlet.x].flags & kInstanceClassMask;
    uint slot = 0u;
    if (mask != 0u) {
        slot = atomicAdd(group_slots[draw_class], slots_of(mask));
    }
    barrier();
    if (lane < kDrawClasses && group_slots[lane] != 0u) {
        group_base[lane] = atomicAdd(state.survivors.classes[lane].claimed, group_slots[lane]);
        if (!kMayStop) {
            grow_list(lane, group_base[lane], group_base[lane] + group_slots[lane]);
        }
    }
    barrier();
    slot += group_base[draw_class];
    bool there = lane < group_count;
    if (kMayStop) {
        uint end = slot + slots_of(mask);
        if (mask != 0u && end > frame.classes[draw_class].slots) {
            leave_item(group_lanes[lane]);
            there = false;
            mask = 0u;
            group_masks[lane] = 0u;
        } else if (mask != 0u) {
            atomicMax(group_end[draw_class], end);
        }
        barrier();
        if (lane < kDrawClasses && group_end[lane] != 0u) {
            grow_list(lane, group_base[lane], group_end[lane]);
        }
        if (lane == 0u) {
            leave_group(group, false);
        }
    }
    if (kCount) {
        bool drawn = live && !survivor.drawn_before && !left_undone();
        count_lanes(kCounterMeshletsDrawn, drawn);
        count_sum(kCounterSublets, drawn ? sublets_of(survivor.instance, survivor.meshlet) : 0u);
        count_sublets(lane, there, mask);
    }
    append(slot, meshlet, mask);
}
