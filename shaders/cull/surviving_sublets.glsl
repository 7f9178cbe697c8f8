// Lists the sublets that survive of surviving meshlets, with the mesh draws that cover them, and counts the workgroups
// of the pass over their triangles.

// With kPrimitiveBits, a word for each sublet of each instance: which of its triangles were visible
// (cull/primitives.comp). With kSubletBits, a byte for each meshlet of each task: which of its sublets were. Phase 1
// lists those. Phase 2 tests all sublets of visible meshlets, and lists the others that are visible.
layout(set = kPassSet, binding = kBindDetailsBefore, std430) readonly buffer WordsBefore { uint words_before[]; };
layout(set = kPassSet, binding = kBindDetailsAfter, std430) buffer WordsAfter { uint words_after[]; };

// Of the mesh shader's workgroups; 0: it draws none of these sublets itself.
layout(constant_id = kSpecSubletsPerGroup) const uint kSubletsPerGroup = 1u;

#include "cull/group_sublets.glsl"
#include "cull/mesh_draws.glsl"

uint work_item(Group group) { return group.number * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

uint sublet_verdict(uint mesh, uint sublet, uint instance) {
    if (kPrimitiveBits && kPhase == 1u) {
        // Its visible triangles are drawn without a test: there need only be one.
        return words_before[first_sublets[instance] + sublet] != 0u ? kPasses : kUnseen;
    }
    if ((frame.cull_flags & kCullSublets) == 0u) {
        return kPasses;
    }
    return bound_verdict(sublet_bound(mesh, sublet), instance, instances[instance].flags);
}

bool in_phase_1(uint sublet, uint instance) {
    return kPrimitiveBits && kPhase == 2u && words_before[first_sublets[instance] + sublet] != 0u;
}

uint sublets_before(uint bits) { return words_before[bits / 4u] >> (bits % 4u * 8u) & 0xffu; }

uint new_sublets(uint mask, uint bits) {
    if (!kSubletBits || kPhase != 2u || mask == 0u) {
        return mask;
    }
    atomicOr(words_after[bits / 4u], mask << (bits % 4u * 8u));
    return mask & ~sublets_before(bits);
}

uint slots_of(uint mask) { return bitCount(mask); }

void use_slots(uint draw_class, uint first, uint end) {
    if (kSubletsPerGroup != 0u) {
        cover_groups(draw_class, first / kSubletsPerGroup, (end - 1u) / kSubletsPerGroup);
    }
    uint triangle_groups = (end - 1u) / kPrimitiveGroupSublets + 1u;
    atomicMax(state.survivors.triangle_groups.x, min(triangle_groups, kPrimitiveGroups));
}

shared uint first_slots[128];  // of each survivor's first sublet

// All lanes together go through all masks, so that neighbours write neighbouring entries.
void append(uint slot, uvec2 meshlet, uint mask) {
    first_slots[gl_LocalInvocationIndex] =
        slot + frame.classes[instances[meshlet.x].flags & kInstanceClassMask].first_slot;
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
