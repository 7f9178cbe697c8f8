// 64-bit counters in pairs of words. The includer declares `state` (CullState).
void count(uint counter, uint amount) {
    uint before = atomicAdd(state.counters[counter * 2u], amount);
    if (before + amount < before) {
        atomicAdd(state.counters[counter * 2u + 1u], 1u);
    }
}
