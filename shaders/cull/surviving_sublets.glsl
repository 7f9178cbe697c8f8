// The workgroup goes on, together, from the meshlets that it found visible to their sublets, and lists those that
// survive: with the mesh draws that cover them and the workgroups of the pass over their triangles; or, kRuns, with a
// draw for each run of neighbours among them, which take a slot each.

#include "cull/sublet_bits.glsl"

layout(constant_id = kSpecWriteDraws) const bool kRuns = false;
// Of the mesh shader's workgroups; 0: it draws none of these sublets itself.
layout(constant_id = kSpecSubletsPerGroup) const uint kSubletsPerGroup = 1u;

#include "scene/sublet_records.glsl"
#include "cull/indirect_draws.glsl"
#include "cull/mesh_draws.glsl"

uint work_item(Group group) {
    return kRuns ? scattered_item(group) : group.number * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}

// (instance, meshlet), the lane that found it, the number of its bits, and a bit for each sublet that is visible.
shared uvec2 group_survivors[128];
shared uint group_lanes[128];
shared uint group_bits[128];
shared bool group_drawn_before[128];
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

// Whether a sublet of a surviving meshlet goes on: kPasses.
uint goes_on(uint sublet, uint instance) {
    if (kPrimitiveBits && phase.number == 1u) {
        // Its visible triangles are drawn without a test: there need only be one.
        return words_before[sublet_word(instance, sublet)] != 0u ? kPasses : kUnseen;
    }
    return sublet_verdict(instance, sublet);
}

// Whether phase 1 drew some of its triangles, if it drew its meshlet: it is counted once.
bool in_phase_1(uint sublet, uint instance) {
    return kPrimitiveBits && phase.number == 2u && words_before[sublet_word(instance, sublet)] != 0u;
}

// Of the sublets that a meshlet shows, those to be listed. Remembers them.
uint new_sublets(uint mask, uint bits) {
    if (!kSubletBits || phase.number != 2u || mask == 0u) {
        return mask;
    }
    keep_sublets(mask, bits);
    return mask & ~sublets_before(bits);
}

// Slots that those of one meshlet take.
uint slots_of(uint mask) { return bitCount(kRuns ? mask & ~(mask << 1u) : mask); }

// By one lane: these slots of the list have something in them.
void use_slots(uint draw_class, uint first, uint end) {
    if (kRuns) {
        return;
    }
    if (kSubletsPerGroup != 0u) {
        cover_groups(draw_class, first / kSubletsPerGroup, (end - 1u) / kSubletsPerGroup);
    }
    uint triangle_groups = (end - 1u) / kPrimitiveGroupSublets + 1u;
    atomicMax(state.survivors.triangle_groups.x, min(triangle_groups, kPrimitiveGroups));
}

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
        if (kPrimitiveBits && kCount) {
            group_drawn_before[place] = survivor.drawn_before;
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
    if (kSubletBits && phase.number == 2u && there) {
        before = sublets_before(group_bits[lane]);
    }
    for (uint reason = 0u; reason < kHidden; ++reason) {
        uint bits = rejected >> (reason * kSubletsPerMeshlet) & 0xffu & ~before;
        count_sum(kCounterSubletsRejected + reason, bitCount(bits));
    }
    count_sum(kCounterSubletsDrawn, bitCount(mask & ~before));
}

// The runs of one meshlet, from `slot` of the whole list on.
void append_runs(uint slot, uvec2 meshlet, uint mask) {
    uint mesh = instances[meshlet.x].mesh;
    MeshletRange range = meshlet_ranges[meshes[mesh].first_meshlet + meshlet.y];
    uint first_sublet = meshlet.y * kSubletsPerMeshlet;
    uint drawn = 0u;
    while (mask != 0u) {
        uint first = findLSB(mask);
        uint end = first + findLSB(~(mask >> first));
        mask &= ~0u << end;
        write_draw(slot++, uvec2(meshlet.x, first_sublet + first), end - first, range);
        if (kCount) {
            // The triangles of a meshlet are numbered sublet by sublet.
            uint first_counts = sublet_record(mesh, first_sublet + first).y;
            uint last_counts = sublet_record(mesh, first_sublet + end - 1u).y;
            drawn += (last_counts >> 24u) + (last_counts & 0xffu) - (first_counts >> 24u);
        }
    }
    if (kCount) {
        count_sum(kCounterPrimitivesDrawn, drawn);
    }
}

shared uint first_slots[128];  // of each survivor's first sublet

// All lanes together go through all masks, so that neighbours write neighbouring entries. `slot`: of this lane's
// survivor, in the whole list.
void append_sublets(uint slot) {
    first_slots[gl_LocalInvocationIndex] = slot;
    barrier();
    uint total = group_count * kSubletsPerMeshlet;
    for (uint i = gl_LocalInvocationIndex; i < total; i += gl_WorkGroupSize.x) {
        uint bits = group_masks[i / kSubletsPerMeshlet];
        uint bit = i % kSubletsPerMeshlet;
        if ((bits >> bit & 1u) != 0u) {
            uvec2 survivor = group_survivors[i / kSubletsPerMeshlet];
            uint rank = bitCount(bits & ((1u << bit) - 1u));
            survivors[first_slots[i / kSubletsPerMeshlet] + rank] =
                uvec2(survivor.x, survivor.y * kSubletsPerMeshlet + bit);
        }
    }
}

// One claim on global memory per class and workgroup, since atomics on one address are what would bound this pass.
void append_survivor(Group group, bool live, Survivor survivor) {
    list_meshlets(live, survivor);
    // What the last frame saw of them is drawn without a test: it mostly is visible again.
    bool known = kSubletBits && phase.number == 1u;
    uint total = known ? 0u : group_count * kSubletsPerMeshlet;
    for (uint i = gl_LocalInvocationIndex; i < total; i += gl_WorkGroupSize.x) {
        uvec2 meshlet = group_survivors[i / kSubletsPerMeshlet];
        uint sublet = meshlet.y * kSubletsPerMeshlet + i % kSubletsPerMeshlet;
        uint mesh = instances[meshlet.x].mesh;
        if (sublet < meshes[mesh].sublet_count) {
            uint verdict = goes_on(sublet, meshlet.x);
            if (verdict == kPasses) {
                atomicOr(group_masks[i / kSubletsPerMeshlet], 1u << (i % kSubletsPerMeshlet));
            }
            if (kCount) {
                note_verdict(i / kSubletsPerMeshlet, i % kSubletsPerMeshlet, counted_as(verdict),
                             kPrimitiveBits && group_drawn_before[i / kSubletsPerMeshlet] &&
                                 in_phase_1(sublet, meshlet.x));
            }
        }
    }
    barrier();
    uint lane = gl_LocalInvocationIndex;
    if (kSubletBits && lane < group_count) {
        uint bits = group_bits[lane];
        // The bits may be of another meshlet, which has more.
        uvec2 survivor = group_survivors[lane];
        uint there = (1u << sublets_of(survivor.x, survivor.y)) - 1u;
        group_masks[lane] = known ? sublets_before(bits) & there : new_sublets(group_masks[lane], bits);
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
        count_drawn(live && !left_undone(), survivor);
        count_sublets(lane, there, mask);
    }
    slot += frame.classes[draw_class].first_slot;
    if (kRuns) {
        append_runs(slot, meshlet, mask);
    } else {
        append_sublets(slot);
    }
}
