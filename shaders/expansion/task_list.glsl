// Sources are prepared in chunks of at most kTaskMeshlets items, so that an entry for each chunk that is pushed is
// enough: nothing is searched, and lanes are idle only beyond the end of chunks that are not full. `source` is the
// chunk; who pops knows its count, and passes over items beyond it.

#ifdef EXPANSION_PUSH
void task_list_push(uint count, uint source) {
    bool live = count != 0u;
    uvec4 ballot = subgroupBallot(live);
    uint total = subgroupBallotBitCount(ballot);
    if (total == 0u) {
        return;
    }
    uint base = 0u;
    if (subgroupElect()) {
        base = atomicAdd(expansion.entries, total);
        expansion_grow(min(base + total, expansion.capacity) * kTaskMeshlets);
    }
    uint slot = subgroupBroadcastFirst(base) + subgroupBallotExclusiveBitCount(ballot);
    uint kept = 0u;
    if (live && slot < expansion.capacity) {
        expansion_words[slot] = source;
        kept = min(count, kTaskMeshlets);
    }
    expansion_drop(count - kept);
}
#else
bool task_list_pop(uint work, out uint source, out uint item) {
    uint entry = work / kTaskMeshlets;
    bool live = entry < min(expansion.entries, expansion.capacity);
    source = live ? expansion_words[entry] : 0u;
    item = work % kTaskMeshlets;
    return live;
}
#endif
