// An entry for each item, or, by the task list, for each 32 items of one source: nothing is searched, and what is
// written grows with the items. Lanes of the task list are idle only beyond the end of chunks that are not full.

#ifdef EXPANSION_PUSH
void write_entry(uint slot, uvec2 entry) { expansion_entries[slot] = entry; }
#include "expansion/write_entries.glsl"

void entries_push(uint count, uint source, uint step) {
    uint entries = entry_count(count, step);
    uint total = subgroupAdd(entries);
    if (total == 0u) {
        return;
    }
    uint base = 0u;
    if (subgroupElect()) {
        base = atomicAdd(expansion.entries, total);
        expansion_grow(min(base + total, expansion.capacity) * step);
    }
    uint first = subgroupBroadcastFirst(base) + subgroupExclusiveAdd(entries);
    uint kept = min(entries, expansion.capacity - min(first, expansion.capacity));
    expansion_drop(count - min(count, kept * step));
    write_entries(first, kept, count, source, 0u, step);
}
#else
#include "expansion/entries.glsl"

bool entries_pop(uint work, uint step, out uint source, out uint item) {
    uint lane = work % step;
    bool live = work / step < min(expansion.entries, expansion.capacity);
    uvec2 entry = live ? expansion_entries[work / step] : uvec2(0u);
    source = entry.x;
    item = entry_first(entry.y, step) + lane;
    return live && entry_has(entry.y, lane, step);
}
#endif
