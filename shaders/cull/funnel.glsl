// Counters of the funnel (shared/counters.h), for passes that test instances and meshlets. After cull/counters.glsl,
// with SUBGROUP_COUNTERS or GROUP_COUNTERS, and cull/chain.glsl.

// Whether this phase is the one that counts a meshlet whose bits are in `word`.
bool counts_meshlet(uint word, uint bit) { return kPhase == 0u || ((word >> bit & 1u) != 0u) == (kPhase == 1u); }

// By one lane for each instance: whatever its tasks find, it counts once.
void count_instance(bool there, uint instance) {
    uint verdict = kUnseen;
    uint meshlets = 0u;
    if (there) {
        meshlets = meshes[instances[instance].mesh].meshlet_count;
        uint words = (meshlets + kTaskMeshlets - 1u) / kTaskMeshlets;
        if (kPhase == 0u || any_visible_before(first_tasks[instance], words) == (kPhase == 1u)) {
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
