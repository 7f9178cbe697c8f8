// Work expansion by task list: sources are prepared in chunks of at most 32 items, so an entry per surviving source is
// enough. The two functions every strategy has:
//   expansion_push(count, source)  `source` has `count` items to be done (0 to 32)
//   expansion_pop(work, source, item)  false when there is no such work item; else which source, and which of its items
// The includer declares `work_list[]` (uints) and `state` (CullState).

#ifdef EXPANSION_PUSH
// One atomic for each subgroup. All lanes that are active must come here together.
void expansion_push(uint count, uint source) {
    bool live = count != 0u;
    uvec4 ballot = subgroupBallot(live);
    uint total = subgroupBallotBitCount(ballot);
    if (total == 0u) {
        return;
    }
    uint base = 0u;
    if (subgroupElect()) {
        base = atomicAdd(state.task_count, total);
        // The meshlet pass's workgroups, grown in place: rows of kDispatchRow groups.
        uint group = (base + total - 1u) / kTasksPerGroup;
        atomicMax(state.dispatch[0], min(group + 1u, kDispatchRow));
        atomicMax(state.dispatch[1], group / kDispatchRow + 1u);
    }
    base = subgroupBroadcastFirst(base);
    if (live) {
        work_list[base + subgroupBallotExclusiveBitCount(ballot)] = source;
    }
}
#else
bool expansion_pop(uint work, out uint source, out uint item) {
    uint entry = work / kTaskMeshlets;
    item = work % kTaskMeshlets;
    source = 0u;
    if (entry >= state.task_count) {
        return false;
    }
    source = work_list[entry];
    return true;
}
#endif
