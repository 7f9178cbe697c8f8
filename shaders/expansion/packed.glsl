// What `linear` and `prefix-sum` share: an entry (source, end) for each source that has items, where `end` is the sum
// of the counts up to and with its own. One 64-bit atomic claims the entry (upper half) and the items (lower half) at
// once, so that the ends rise with the entries' order: a prefix sum without a pass of its own. Sources without items
// take no entry.

#ifdef EXPANSION_PUSH
// `items` and `entries` of the state as one word.
layout(set = kPassSet, binding = kBindExpansionState, std430) buffer ExpansionPackedBlock {
    layout(offset = 16) uint64_t expansion_entries_items;
};

void packed_push(uint count, uint source) {
    uvec4 ballot = subgroupBallot(count != 0u);
    uint entries = subgroupBallotBitCount(ballot);
    if (entries == 0u) {
        return;
    }
    uint items = subgroupAdd(count);
    uvec2 base = uvec2(0u);
    if (subgroupElect()) {
        base = unpackUint2x32(atomicAdd(expansion_entries_items, packUint2x32(uvec2(items, entries))));
        expansion_grow(base.x + items);
    }
    base = subgroupBroadcastFirst(base);
    uint slot = base.y + subgroupBallotExclusiveBitCount(ballot);
    uint end = base.x + subgroupInclusiveAdd(count);
    if (count != 0u) {
        if (slot < expansion.capacity) {
            expansion_entries[slot] = uvec2(source, end);
        } else {
            expansion_drop(count);
        }
    }
}
#else
// `entry`: the first whose end is beyond `work`, if there is one.
bool packed_found(uint entry, uint work, out uint source, out uint item) {
    source = 0u;
    item = 0u;
    if (entry >= min(expansion.entries, expansion.capacity)) {
        return false;
    }
    source = expansion_entries[entry].x;
    item = work - (entry == 0u ? 0u : expansion_entries[entry - 1u].y);
    return true;
}

// Looked through from the first: lanes read the same ones, but there may be many.
bool linear_pop(uint work, out uint source, out uint item) {
    uint entries = work < expansion.items ? min(expansion.entries, expansion.capacity) : 0u;
    uint entry = 0u;
    while (entry < entries && expansion_entries[entry].y <= work) {
        ++entry;
    }
    return packed_found(work < expansion.items ? entry : 0xffffffffu, work, source, item);
}

// By binary search.
bool prefix_sum_pop(uint work, out uint source, out uint item) {
    uint first = 0u;
    uint last = work < expansion.items ? min(expansion.entries, expansion.capacity) : 0u;
    while (first < last) {
        uint middle = (first + last) / 2u;
        if (expansion_entries[middle].y <= work) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return packed_found(work < expansion.items ? first : 0xffffffffu, work, source, item);
}
#endif
