// The look at one meshlet: for passes, nodes and task shaders that cull meshlets. After cull/funnel.glsl.

// One that survives.
struct Survivor {
    uint instance;
    uint meshlet;         // of the instance's mesh
    uint global_meshlet;  // of the scene
    bool drawn_before;    // in this frame, by phase 1
    uint bits;            // number of its bit in the table
};

// Counts what a lane lists, or emits.
void count_drawn(bool live, Survivor survivor) {
    if (kCount) {
        bool drawn = live && !survivor.drawn_before;
        count_lanes(kCounterMeshletsDrawn, drawn);
        count_level(drawn, survivor.instance, survivor.meshlet);
        count_sum(kCounterSublets, drawn ? sublets_of(survivor.instance, survivor.meshlet) : 0u);
    }
}

// Whether this phase lists the meshlet at a place of an instance. Keeps its bit for the next frame, and counts it: as
// tested where it is `untested`, by rounds before.
bool look_at_meshlet(uint instance, uint place, bool untested, out Survivor survivor) {
    survivor = Survivor(instance, 0u, 0u, false, 0u);
    if (!place_in_cut(instance, place)) {
        return false;
    }
    uint task = task_word(instance, place);
    uint bit = place % kTaskMeshlets;
    uint word = phase_has_bits() ? visible_before[task] : 0u;
    // With finer bits phase 2 looks again at those that phase 1 drew.
    survivor.drawn_before = (kPrimitiveBits || kSubletBits) && phase.number == 2u && (word >> bit & 1u) != 0u;
    survivor.bits = task * kTaskMeshlets + bit;
    uint mesh = instances[instance].mesh;
    survivor.meshlet = meshlet_at(mesh, place);
    survivor.global_meshlet = meshes[mesh].first_meshlet + survivor.meshlet;
    uint verdict = meshlet_verdict(instance, survivor.meshlet, word, bit);
    if (phase.number == 2u && verdict == kPasses) {
        atomicOr(visible_after[task], 1u << bit);
    }
    if (kCount && counts_meshlet(word, bit)) {
        // What a round leaves to the next one has passed.
        count_lanes(kCounterMeshletsTested, untested);
        count_rejected(kCounterMeshletsRejected, counted_as(verdict));
        count_cut(untested, instance, survivor.meshlet);
    }
    return lists_meshlet(verdict, word, bit);
}
