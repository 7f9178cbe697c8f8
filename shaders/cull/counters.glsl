// 64-bit counters in pairs of words. The includer declares `state` (CullState).
void count(uint counter, uint amount) {
    uint before = atomicAdd(state.counters[counter * 2u], amount);
    if (before + amount < before) {
        atomicAdd(state.counters[counter * 2u + 1u], 1u);
    }
}

#ifdef SUBGROUP_COUNTERS
// By all lanes of a subgroup together, which takes one atomic: how many lanes say so, or the sum of what they say.
void count_lanes(uint counter, bool counted) {
    uint total = subgroupBallotBitCount(subgroupBallot(counted));
    if (subgroupElect() && total != 0u) {
        count(counter, total);
    }
}

void count_sum(uint counter, uint amount) {
    uint total = subgroupAdd(amount);
    if (subgroupElect() && total != 0u) {
        count(counter, total);
    }
}
#endif
