// Writes entries (expansion/entries.glsl). After the extensions for subgroup ballots and arithmetic; the includer defines
//   void write_entry(slot, entry)

#include "expansion/entries.glsl"

// By all lanes that are active, together: the first `kept` entries of each one's source, from its slot `first` on, for
// `count` items from `item` on, a multiple of `step`.
void write_entries(uint first, uint kept, uint count, uint source, uint item, uint step) {
    // A lane writes its few entries alone; many are written by the whole subgroup, or one giant would keep one lane
    // busy.
    bool many = kept > 32u;
    for (uint i = 0u; !many && i < kept; ++i) {
        write_entry(first + i, uvec2(source, item + entry_items(i, count, step)));
    }
    uvec4 active_lanes = subgroupBallot(true);
    uint stride = subgroupBallotBitCount(active_lanes);
    uint lane = subgroupBallotExclusiveBitCount(active_lanes);
    for (uvec4 pending = subgroupBallot(many); subgroupBallotBitCount(pending) != 0u; pending = subgroupBallot(many)) {
        bool mine = many && gl_SubgroupInvocationID == subgroupBallotFindLSB(pending);
        uint its_first = subgroupAdd(mine ? first : 0u);
        uint its_kept = subgroupAdd(mine ? kept : 0u);
        uint its_count = subgroupAdd(mine ? count : 0u);
        uint its_source = subgroupAdd(mine ? source : 0u);
        uint its_item = subgroupAdd(mine ? item : 0u);
        for (uint i = lane; i < its_kept; i += stride) {
            write_entry(its_first + i, uvec2(its_source, its_item + entry_items(i, its_count, step)));
        }
        many = many && !mine;
    }
}
