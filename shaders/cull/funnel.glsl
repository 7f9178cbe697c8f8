// Counters of the funnel (shared/counters.h), for passes that test instances and meshlets. After cull/counters.glsl,
// with SUBGROUP_COUNTERS or GROUP_COUNTERS, and cull/chain.glsl.

// Whether this phase is the one that counts a meshlet whose bits are in `word`.
bool counts_meshlet(uint word, uint bit) { return kPhase == 0u || ((word >> bit & 1u) != 0u) == (kPhase == 1u); }

// By one lane for each instance: whatever its tasks find, it counts once.
void count_instance(bool there, uint instance) {
    uint verdict = kUnseen;
    uint meshlets = 0u;
    if (there) {
        uint mesh = instances[instance].mesh;
        meshlets = meshes[mesh].meshlet_count - (has_cut(mesh) ? 0u : meshes[mesh].coarse_meshlets);
        if (kPhase == 0u || any_place_visible_before(instance, places_of(instance)) == (kPhase == 1u)) {
            verdict = instance_verdict(instance);
        }
    }
    count_lanes(kCounterInstancesPassed, verdict == kPasses);
    count_rejected(kCounterInstancesRejected, counted_as(verdict));
    count_sum(kCounterMeshlets, verdict == kPasses ? meshlets : 0u);
}

// Of a meshlet, numbered within its mesh.
uint sublets_of(uint instance, uint meshlet) {
    return min(meshes[instances[instance].mesh].sublet_count - meshlet * kSubletsPerMeshlet, kSubletsPerMeshlet);
}
