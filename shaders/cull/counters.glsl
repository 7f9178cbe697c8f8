// 64-bit counters in pairs of words. The includer declares `state` (CullState).
void count(uint counter, uint amount) {
    uint before = atomicAdd(state.counters[counter * 2u], amount);
    if (before + amount < before) {
        atomicAdd(state.counters[counter * 2u + 1u], 1u);
    }
}

#ifdef GROUP_COUNTERS
// How many lanes say so, or the sum of what they say: by any lanes, between begin_counts() and end_counts(), which all
// lanes of the workgroup call. One atomic a workgroup, in one place of the shader for all counters: each has a compiler
// make as much as a test does. The includer declares kCount; without it no room is taken.
const uint kGroupCounts = kCount ? kCounters : 1u;
shared uint group_counts[kGroupCounts];

void begin_counts() {
    if (kCount) {
        for (uint i = gl_LocalInvocationIndex; i < kGroupCounts; i += gl_WorkGroupSize.x) {
            group_counts[i] = 0u;
        }
        barrier();
    }
}

void count_sum(uint counter, uint amount) {
    if (amount != 0u) {
        atomicAdd(group_counts[counter], amount);
    }
}

void count_lanes(uint counter, bool counted) { count_sum(counter, counted ? 1u : 0u); }

void end_counts() {
    if (kCount) {
        barrier();
        for (uint i = gl_LocalInvocationIndex; i < kGroupCounts; i += gl_WorkGroupSize.x) {
            if (group_counts[i] != 0u) {
                count(i, group_counts[i]);
            }
        }
    }
}

// `first`: the counter of those that a step of the funnel rejects as kOutside.
void count_rejected(uint first, uint verdict) {
    if (verdict >= kOutside && verdict <= kHidden) {
        count_sum(first + verdict - kOutside, 1u);
    }
}
#endif
