// Work expansion: each of many sources has N items of work, N from 0 to a great many, and a later dispatch has a lane
// for each item. Two functions, the same for every strategy:
//   void expansion_push(count, source)       `source` has `count` items to be done. All lanes that are active must come
//                                            here together; each source pushes once
//   bool expansion_pop(work, source, item)   false when there is no such work item; else which source, and which of
//                                            its items (0 to its count - 1). `work` is expansion_work(), or any other
//                                            way to give each lane of the dispatch one of the same numbers
// and what did not fit, which is dropped and counted:
//   uint expansion_overflow()
// (The workgroup's size is declared before the include; by who pops, so are push constants: `constants`, of which
// `generated` writes `pushed`.)
//
// kExpansion says by which strategy. The includer defines EXPANSION_PUSH to get the first function rather than the
// others, and with it, for `linear`, `prefix-sum` and `generated`, EXPANSION_PACKED: those push by 64-bit atomics,
// which a device may lack, and no other strategy then does. It enables the extensions for those, and for subgroup
// ballots and arithmetic.

#include "shared/bindings.h"
#include "shared/expansion.h"

layout(constant_id = kSpecExpansion) const uint kExpansion = kExpansionMaxN;

#ifdef EXPANSION_PUSH
layout(set = kPassSet, binding = kBindExpansionState, std430) buffer ExpansionStateBlock {
    ExpansionState expansion;
    uint expansion_first[];  // of each source: which of its things the first item is, for the includer to keep
};
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
layout(set = kPassSet, binding = kBindExpansionState, std430) readonly buffer ExpansionStateBlock {
    ExpansionState expansion;
    uint expansion_first[];
};
#define EXPANSION_ACCESS readonly

// Workgroups pop what others left before (cull/rounds.glsl).
layout(constant_id = kSpecFurtherRound) const bool kFurtherRound = false;

// This workgroup's number, in the first round.
uint expansion_group() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    return kExpansion == kExpansionGenerated && !kFurtherRound ? constants.pushed.first_group + group : group;
}

uint expansion_work() { return expansion_group() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

uint expansion_overflow() { return expansion.overflow; }
#endif

// The list: pairs, words, or sequences of commands.
layout(set = kPassSet, binding = kBindExpansionList, std430) EXPANSION_ACCESS buffer ExpansionEntries { uvec2 expansion_entries[]; };
layout(set = kPassSet, binding = kBindExpansionList, std430) EXPANSION_ACCESS buffer ExpansionWords { uint expansion_words[]; };
layout(set = kPassSet, binding = kBindExpansionList, std430) EXPANSION_ACCESS buffer ExpansionSequences {
    ExpansionSequence expansion_sequences[];
};

#if !defined(EXPANSION_PUSH) || defined(EXPANSION_PACKED)
#include "expansion/packed.glsl"
#endif
#ifndef EXPANSION_PACKED
#include "expansion/buckets.glsl"
#include "expansion/max_n.glsl"
#include "expansion/per_item.glsl"
#include "expansion/scan.glsl"
#endif

#if defined(EXPANSION_PACKED)
void expansion_push(uint count, uint source) { packed_push(count, source); }
#elif defined(EXPANSION_PUSH)
void expansion_push(uint count, uint source) {
    switch (kExpansion) {
        case kExpansionMaxN: max_n_push(count, source); break;
        case kExpansionPerItem: entries_push(count, source, 1u); break;
        case kExpansionScan: scan_push(count, source); break;
        case kExpansionBuckets: buckets_push(count, source); break;
        case kExpansionTaskList: entries_push(count, source, kTaskMeshlets); break;
    }
}
#else
bool expansion_pop(uint work, out uint source, out uint item) {
    switch (kExpansion) {
        case kExpansionMaxN: return max_n_pop(work, source, item);
        case kExpansionPerItem: return entries_pop(work, 1u, source, item);
        case kExpansionLinear: return linear_pop(work, source, item);
        case kExpansionPrefixSum: return prefix_sum_pop(work, source, item);
        case kExpansionScan: return scan_pop(work, source, item);
        case kExpansionBuckets: return buckets_pop(work, source, item);
        case kExpansionGenerated: return generated_pop(work, source, item);
    }
    return entries_pop(work, kTaskMeshlets, source, item);
}
#endif
