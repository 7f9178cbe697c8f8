// An entry for each item: (source, item). Nothing is searched; what is written grows with the items.

#ifdef EXPANSION_PUSH
void per_item_push(uint count, uint source) {
    uint total = subgroupAdd(count);
    if (total == 0u) {
        return;
    }
    uint base = 0u;
    if (subgroupElect()) {
        base = atomicAdd(expansion.items, total);
        expansion_grow(min(base + total, expansion.capacity));
    }
    uint first = subgroupBroadcastFirst(base) + subgroupExclusiveAdd(count);
    uint kept = min(count, expansion.capacity - min(first, expansion.capacity));
    expansion_drop(count - kept);

    // A lane writes its few entries alone; many are written by the whole subgroup, or one giant would keep one lane
    // busy.
    bool many = kept > 32u;
    for (uint i = 0u; !many && i < kept; ++i) {
        expansion_entries[first + i] = uvec2(source, i);
    }
    uvec4 active_lanes = subgroupBallot(true);
    uint stride = subgroupBallotBitCount(active_lanes);
    uint lane = subgroupBallotExclusiveBitCount(active_lanes);
    for (uvec4 pending = subgroupBallot(many); subgroupBallotBitCount(pending) != 0u; pending = subgroupBallot(many)) {
        bool mine = many && gl_SubgroupInvocationID == subgroupBallotFindLSB(pending);
        uint its_first = subgroupAdd(mine ? first : 0u);
        uint its_count = subgroupAdd(mine ? kept : 0u);
        uint its_source = subgroupAdd(mine ? source : 0u);
        for (uint i = lane; i < its_count; i += stride) {
            expansion_entries[its_first + i] = uvec2(its_source, i);
        }
        many = many && !mine;
    }
}
#else
bool per_item_pop(uint work, out uint source, out uint item) {
    bool live = work < min(expansion.items, expansion.capacity);
    uvec2 entry = live ? expansion_entries[work] : uvec2(0u);
    source = entry.x;
    item = entry.y;
    return live;
}
#endif
