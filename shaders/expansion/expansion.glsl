// Work expansion: each of many sources has N items of work, N from 0 to a great many, and a later dispatch has a lane
// for each item. Two functions, the same for every strategy:
//   void expansion_push(count, source)       `source` has `count` items to be done. All lanes that are active must come
//                                            here together; each source pushes once
//   bool expansion_pop(work, source, item)   false when there is no such work item; else which source, and which of
//                                            its items (0 to its count - 1; by the task list 0 to 31, and those beyond
//                                            the count are to be passed over). `work` is expansion_work(), or any
//                                            other way to give each lane of the dispatch one of the same numbers
// and what did not fit, which is dropped and counted:
//   uint expansion_overflow()
// (The workgroup's size is declared before the include.)
//
// The includer defines one of EXPANSION_MAX_N, _PER_ITEM, _LINEAR, _PREFIX_SUM, _SCAN, _BUCKETS and _TASK_LIST, and
// EXPANSION_PUSH to get the first function rather than the others. It enables the extensions for subgroup ballots and arithmetic, and with _LINEAR or _PREFIX_SUM, to push,
// those for 64-bit atomics.

#include "shared/bindings.h"
#include "shared/expansion.h"

#ifdef EXPANSION_PUSH
layout(set = kPassSet, binding = kBindExpansionState, std430) buffer ExpansionStateBlock { ExpansionState expansion; };
#define EXPANSION_ACCESS writeonly

// Lets the consumer's dispatch reach `items` work items. Growing it in place saves a pass that would prepare it.
void expansion_grow(uint items) {
    if (items == 0u) {
        return;
    }
    uint group = (items - 1u) / expansion.group_items;
    atomicMax(expansion.dispatch[0], min(group + 1u, kDispatchRow));
    atomicMax(expansion.dispatch[1], group / kDispatchRow + 1u);
}

// Counts `items` that did not fit. The consumer gets a workgroup even when nothing did, since it is who tells.
void expansion_drop(uint items) {
    if (items != 0u) {
        atomicAdd(expansion.overflow, items);
        expansion_grow(1u);
    }
}

// By all lanes together: of a source's `count` items, `kept` found a place.
void expansion_keep(uint count, uint kept) {
    expansion_drop(count - kept);
    uint total = subgroupAdd(kept);
    if (total != 0u && subgroupElect()) {
        expansion_grow(atomicAdd(expansion.items, total) + total);
    }
}
#else
layout(set = kPassSet, binding = kBindExpansionState, std430) readonly buffer ExpansionStateBlock { ExpansionState expansion; };
#define EXPANSION_ACCESS readonly

uint expansion_work() {
    return (gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}

uint expansion_overflow() { return expansion.overflow; }
#endif

#if defined(EXPANSION_MAX_N)
#include "expansion/max_n.glsl"
#elif defined(EXPANSION_PER_ITEM)
#include "expansion/per_item.glsl"
#elif defined(EXPANSION_LINEAR)
#include "expansion/linear.glsl"
#elif defined(EXPANSION_PREFIX_SUM)
#include "expansion/prefix_sum.glsl"
#elif defined(EXPANSION_SCAN)
#include "expansion/scan.glsl"
#elif defined(EXPANSION_BUCKETS)
#include "expansion/buckets.glsl"
#elif defined(EXPANSION_TASK_LIST)
#include "expansion/task_list.glsl"
#else
#error "no expansion strategy is defined"
#endif
