// Lists an indexed indirect draw for each run of neighbouring sublets that survive, of surviving meshlets.

#include "cull/group_sublets.glsl"
#include "cull/indirect_draws.glsl"

uint sublet_verdict(uint mesh, uint sublet, uint instance) {
    if ((frame.cull_flags & kCullSublets) == 0u) {
        return kPasses;
    }
    return bound_verdict(sublet_bound(mesh, sublet), instance, instances[instance].flags);
}

bool in_phase_1(uint sublet, uint instance) { return false; }
uint sublets_before(uint bits) { return 0u; }  // no bits of them are kept
uint new_sublets(uint mask, uint bits) { return mask; }

uint slots_of(uint mask) { return bitCount(mask & ~(mask << 1u)); }

void use_slots(uint draw_class, uint first, uint end) {}

void append(uint slot, uvec2 meshlet, uint mask) {
    slot += frame.classes[instances[meshlet.x].flags & kInstanceClassMask].first_slot;
    uint mesh = instances[meshlet.x].mesh;
    MeshletRange range = meshlet_ranges[meshes[mesh].first_meshlet + meshlet.y];
    uint first_sublet = meshlet.y * kSubletsPerMeshlet;
    uint stream_count = meshes[mesh].stream_count;
    uint first_stream = meshes[mesh].first_stream + first_sublet * stream_count;
    uint drawn = 0u;
    while (mask != 0u) {
        uint first = findLSB(mask);
        uint end = first + findLSB(~(mask >> first));
        mask &= ~0u << end;
        survivors[slot] = uvec2(meshlet.x, first_sublet + first);
        write_draw(slot++, meshes[mesh].first_sublet + first_sublet + first, end - first, range.first_vertex);
        if (kCount) {
            // The triangles of a meshlet are numbered sublet by sublet.
            uint first_bits = streams[first_stream + first * stream_count].bits;
            uint last_bits = streams[first_stream + (end - 1u) * stream_count].bits;
            drawn += (last_bits >> 24u) + (last_bits & 0xffu) - (first_bits >> 24u);
        }
    }
    if (kCount) {
        count_sum(kCounterPrimitivesDrawn, drawn);
    }
}
