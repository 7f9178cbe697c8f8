// The counts of all sources in their order, then a prefix sum over them between push and pop, then binary search. The
// only strategy whose work items keep the order of the sources: the same work item is the same source's same item each
// time.

layout(set = kPassSet, binding = kBindExpansionList, std430) EXPANSION_ACCESS buffer ExpansionList {
    uint expansion_ends[];  // pushed: counts; popped: their inclusive prefix sum
};

#ifdef EXPANSION_PUSH
void expansion_push(uint count, uint source) {
    uint kept = source < expansion.sources ? count : 0u;
    if (source < expansion.sources) {
        expansion_ends[source] = kept;
    }
    expansion_keep(count, kept);
}
#else
bool expansion_pop(uint work, out uint source, out uint item) {
    source = 0u;
    item = 0u;
    if (work >= expansion.items) {
        return false;
    }
    uint last = expansion.sources - 1u;
    while (source < last) {
        uint middle = (source + last) / 2u;
        if (expansion_ends[middle] <= work) {
            source = middle + 1u;
        } else {
            last = middle;
        }
    }
    item = work - (source == 0u ? 0u : expansion_ends[source - 1u]);
    return true;
}
#endif
