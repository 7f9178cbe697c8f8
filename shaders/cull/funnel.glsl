// Counters of the funnel (shared/counters.h), for passes that test instances and meshlets. After cull/counters.glsl,
// with SUBGROUP_COUNTERS or GROUP_COUNTERS, and cull/chain.glsl.

// Whether this phase is the one that counts a meshlet whose bits are in `word`.
bool counts_meshlet(uint word, uint bit) { return !kHasBits || ((word >> bit & 1u) != 0u) == (kPhase == 1u); }

// By one lane for each instance: whatever its tasks find, it counts once.
void count_instance(bool there, uint instance) {
    uint verdict = kUnseen;
    uint meshlets = 0u;
    if (there) {
        uint mesh = instances[instance].mesh;
        meshlets = meshes[mesh].meshlet_count - (has_cut(mesh) ? 0u : meshes[mesh].coarse_meshlets);
        if (!kHasBits || any_place_visible_before(instance, places_of(instance)) == (kPhase == 1u)) {
            verdict = instance_verdict(instance);
        }
    }
    count_lanes(kCounterInstancesPassed, verdict == kPasses);
    count_rejected(kCounterInstancesRejected, counted_as(verdict));
    count_sum(kCounterMeshlets, verdict == kPasses ? meshlets : 0u);
    if (kLevels) {
        uint finest = verdict == kPasses ? finest_triangles(instances[instance].mesh) : 0u;
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
    if (!kLevels) {
        return;
    }
    uint triangles = drawn ? meshlet_triangles(instance, meshlet) : 0u;
    uint level = drawn ? min(level_of(instances[instance].mesh, meshlet), kCountedLevels - 1u) : 0u;
#ifdef SUBGROUP_COUNTERS
    for (uint i = 0u; i < kCountedLevels; ++i) {
        count_sum(kCounterLevelTriangles + i, level == i ? triangles : 0u);
    }
#else
    count_sum(kCounterLevelTriangles + level, triangles);
#endif
}
