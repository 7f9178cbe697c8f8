// The counts of all sources in their order, then a prefix sum over them between push and pop (its words are then the
// sums, each with its own count), then binary search. The only strategy whose work items keep the order of the sources: the same work item is the same source's same item each
// time.

#ifdef EXPANSION_PUSH
void scan_push(uint count, uint source) {
    uint kept = source < expansion.sources ? count : 0u;
    if (source < expansion.sources) {
        expansion_words[source] = kept;
    }
    expansion_keep(count, kept);
}
#else
bool scan_pop(uint work, out uint source, out uint item) {
    source = 0u;
    item = 0u;
    if (work >= expansion.items) {
        return false;
    }
    uint last = expansion.sources - 1u;
    while (source < last) {
        uint middle = (source + last) / 2u;
        if (expansion_words[middle] <= work) {
            source = middle + 1u;
        } else {
            last = middle;
        }
    }
    item = work - (source == 0u ? 0u : expansion_words[source - 1u]);
    return true;
}
#endif
