// Counters of the funnel (shared/counters.h), for passes that test instances and meshlets. After cull/counters.glsl,
// with GROUP_COUNTERS, and cull/chain.glsl.

// Whether this phase is the one that counts a meshlet whose bits are in `word`.
bool counts_meshlet(uint word, uint bit) {
    return !phase_has_bits() || ((word >> bit & 1u) != 0u) == (phase.number == 1u);
}

// The places of an instance's meshlets that need a look: as many of them as are returned, from `first` on. `verdict`:
// on the instance, where this phase counts it, else kUnseen.
uint source_meshlets(uint instance, out uint first, out uint verdict) {
    // Bits are looked at first, where that takes no search for places.
    uint found = kLevels ? instance_verdict(instance) : kPasses;
    uvec2 places = uvec2(0u);
    bool seen = false;  // by the last frame
    if (kCount || found == kPasses) {
        places = places_of(instance);
        seen = (phase.number == 1u || (kCount && phase.number == 2u)) && any_place_visible_before(instance, places);
    }
    bool looks = phase.number != 1u || seen;
    if (!kLevels && looks) {
        found = instance_verdict(instance);
    }
    verdict = looks && !(phase.number == 2u && seen) ? found : kUnseen;
    first = places.x;
    return looks && found == kPasses ? places.y - min(places.x, places.y) : 0u;
}

// Whether this phase counts an instance, whose places these are.
bool counts_instance(uint instance, uvec2 places) {
    return !phase_has_bits() || any_place_visible_before(instance, places) == (phase.number == 1u);
}

// By one lane for each instance: whatever its tasks find, it counts once. kUnseen: not in this phase.
void count_instance(uint instance, uint verdict) {
    count_rejected(kCounterInstancesRejected, counted_as(verdict));
    if (verdict != kPasses) {
        return;
    }
    count_sum(kCounterInstancesPassed, 1u);
    uint mesh = instances[instance].mesh;
    count_sum(kCounterMeshlets, meshes[mesh].meshlet_count - (has_cut(mesh) ? 0u : meshes[mesh].coarse_meshlets));
    if (kLevels) {
        uint finest = finest_triangles(mesh);
        count_sum(kCounterFinestTriangles, finest & 0xffffu);
        count_sum(kCounterFinestTriangles + 1u, finest >> 16u);
    }
}

// Of a meshlet, numbered within its mesh.
uint sublets_of(uint instance, uint meshlet) {
    return min(meshes[instances[instance].mesh].sublet_count - meshlet * kSubletsPerMeshlet, kSubletsPerMeshlet);
}

// Of a meshlet, numbered within its mesh.
uint meshlet_triangles(uint instance, uint meshlet) {
    return meshlet_ranges[meshes[instances[instance].mesh].first_meshlet + meshlet].triangle_count;
}

void count_cut(bool tested, uint instance, uint meshlet) {
    if (kLevels) {
        count_sum(kCounterCutTriangles, tested ? meshlet_triangles(instance, meshlet) : 0u);
    }
}

void count_level(bool drawn, uint instance, uint meshlet) {
    if (kLevels && drawn) {
        uint level = min(level_of(instances[instance].mesh, meshlet), kCountedLevels - 1u);
        count_sum(kCounterLevelTriangles + level, meshlet_triangles(instance, meshlet));
    }
}
