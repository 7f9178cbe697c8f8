// A count is a sum of powers of two: bucket b holds an entry (source, first item) for every set bit b, worth 2^b items.
// All buckets are popped by one dispatch, the largest first, so that a bucket begins at a multiple of its 2^b; at most
// one step for each bucket finds an item's.

#ifdef EXPANSION_PUSH
void buckets_push(uint count, uint source) {
    uint bits = subgroupOr(count);
    if (bits == 0u) {
        return;
    }
    uint kept = 0u;
    uint item = 0u;
    while (bits != 0u) {  // the same for all lanes
        uint bucket = uint(findMSB(bits));
        uint size = 1u << bucket;
        bits &= ~size;
        bool mine = (count & size) != 0u;
        uvec4 ballot = subgroupBallot(mine);
        uint base = 0u;
        if (subgroupElect()) {
            base = atomicAdd(expansion.bucket_entries[bucket], subgroupBallotBitCount(ballot));
        }
        uint slot =
            expansion.bucket_first[bucket] + subgroupBroadcastFirst(base) + subgroupBallotExclusiveBitCount(ballot);
        if (mine) {
            if (slot < expansion.bucket_first[bucket + 1u]) {
                expansion_entries[slot] = uvec2(source, item);
                kept += size;
            }
            item += size;
        }
    }
    expansion_keep(count, kept);
}
#else
bool buckets_pop(uint work, out uint source, out uint item) {
    source = 0u;
    item = 0u;
    uint rest = work;
    for (uint bucket = expansion.buckets; bucket-- > 0u;) {
        uint first = expansion.bucket_first[bucket];
        uint items = min(expansion.bucket_entries[bucket], expansion.bucket_first[bucket + 1u] - first) << bucket;
        if (rest < items) {
            uvec2 entry = expansion_entries[first + (rest >> bucket)];
            source = entry.x;
            item = entry.y + (rest & ((1u << bucket) - 1u));
            return true;
        }
        rest -= items;
    }
    return false;
}
#endif
