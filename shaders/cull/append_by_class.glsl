// Appends to a list for each draw class: one atomic for each class and subgroup. The includer defines
//   uint claim_slots(draw_class, count)     makes room for so many, and returns the first slot
//
// Returns the slot of each lane that is `live`. All lanes come here together: the loop is uniform, and every lane takes
// part in every ballot.
uint append_by_class(bool live, uint lane_class) {
    uint slot = 0u;
    for (uint draw_class = 0u; draw_class < kDrawClasses; ++draw_class) {
        bool mine = live && lane_class == draw_class;
        uvec4 ballot = subgroupBallot(mine);
        uint total = subgroupBallotBitCount(ballot);
        if (total == 0u) {
            continue;
        }
        uint base = 0u;
        if (subgroupElect()) {
            base = claim_slots(draw_class, total);
        }
        base = subgroupBroadcastFirst(base);
        if (mine) {
            slot = base + subgroupBallotExclusiveBitCount(ballot);
        }
    }
    return slot;
}
