// What `linear` and `prefix-sum` share: an entry (source, end) for each source that has items, where `end` is the sum
// of the counts up to and with its own. One 64-bit atomic claims the entry (upper half) and the items (lower half) at
// once, so that the ends rise with the entries' order: a prefix sum without a pass of its own. Sources without items
// take no entry. `generated` counts workgroups in place of items, and its entries are sequences of generated commands:
// a dispatch for each source, which is told its source and need not search.

#ifdef EXPANSION_PUSH
// `items` and `entries` of the state as one word.
layout(set = kPassSet, binding = kBindExpansionState, std430) buffer ExpansionPackedBlock {
    layout(offset = 16) uint64_t expansion_entries_items;
};

// Workgroups of a source's own dispatch, in whole rows where there are several.
uint own_groups(uint count) {
    uint groups = (count + expansion.group_items - 1u) / expansion.group_items;
    return groups > kDispatchRow ? (groups + kDispatchRow - 1u) / kDispatchRow * kDispatchRow : groups;
}

void packed_push(uint count, uint source) {
    bool generated = kExpansion == kExpansionGenerated;
    uint claimed = generated ? own_groups(count) : count;
    uvec4 ballot = subgroupBallot(count != 0u);
    uint entries = subgroupBallotBitCount(ballot);
    if (entries == 0u) {
        return;
    }
    uint items = subgroupAdd(claimed);
    uvec2 base = uvec2(0u);
    if (subgroupElect()) {
        base = unpackUint2x32(atomicAdd(expansion_entries_items, packUint2x32(uvec2(items, entries))));
        if (!generated) {
            expansion_grow(base.x + items);
        }
    }
    base = subgroupBroadcastFirst(base);
    uint slot = base.y + subgroupBallotExclusiveBitCount(ballot);
    uint end = base.x + subgroupInclusiveAdd(claimed);
    if (count == 0u) {
        return;
    }
    if (slot >= expansion.capacity) {
        expansion_drop(count);
    } else if (generated) {
        DispatchCommand groups =
            DispatchCommand(min(claimed, kDispatchRow), (claimed + kDispatchRow - 1u) / kDispatchRow, 1u);
        expansion_sequences[slot] = ExpansionSequence(ExpansionPushed(end - claimed, source, count), groups);
    } else {
        expansion_entries[slot] = uvec2(source, end);
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

// In further rounds, workgroups of all sources come in one dispatch: the last entry that begins no later is theirs.
ExpansionPushed generated_entry(uint group) {
    uint first = 0u;
    uint last = min(expansion.entries, expansion.capacity);
    while (first < last) {
        uint middle = (first + last) / 2u;
        if (expansion_sequences[middle].pushed.first_group <= group) {
            first = middle + 1u;
        } else {
            last = middle;
        }
    }
    return expansion_sequences[max(first, 1u) - 1u].pushed;
}

bool generated_pop(uint work, out uint source, out uint item) {
    ExpansionPushed own = constants.pushed;
    if (kFurtherRound) {
        own = generated_entry(work / gl_WorkGroupSize.x);
    }
    source = own.source;
    item = work - own.first_group * gl_WorkGroupSize.x;
    return item < own.count;
}
#endif
