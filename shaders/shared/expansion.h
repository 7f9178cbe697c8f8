// What the two shader functions of a work expansion (shaders/expansion/) know of each other, shared by C++ and GLSL.
#ifndef SUBLET_SHARED_EXPANSION_H
#define SUBLET_SHARED_EXPANSION_H

#include "scene.h"

SUBLET_SHARED_BEGIN

// The strategies: ExpansionStrategy in render/settings/expansion_strategy.h.
SUBLET_CONST uint kExpansionMaxN = 0u;
SUBLET_CONST uint kExpansionPerItem = 1u;
SUBLET_CONST uint kExpansionLinear = 2u;
SUBLET_CONST uint kExpansionPrefixSum = 3u;
SUBLET_CONST uint kExpansionScan = 4u;
SUBLET_CONST uint kExpansionBuckets = 5u;
SUBLET_CONST uint kExpansionTaskList = 6u;
SUBLET_CONST uint kExpansionGenerated = 7u;

SUBLET_CONST uint kMostBuckets = 32u;

// Items, and slots for items, are numbered in 32 bits, and the last row of workgroups may reach beyond the last of
// them.
SUBLET_CONST uint kExpansionMaxItems = 0xffc00000u;  // 2^32 - kDispatchRow * 128

// Reset before each push; read by the indirect dispatch of the consumer where it lies.
struct ExpansionState {
    // Written by pushes.
    uint dispatch[3];  // the consumer's workgroups, in rows of kDispatchRow
    uint overflow;     // items that did not fit and were dropped
    uint items;        // pushed; with `entries` one 64-bit word, this half the lower
    uint entries;      // of the list
    // Fixed.
    uint sources;      // only these may push: 0 to sources - 1 (strategies with a slot for each source)
    uint capacity;     // entries that the list has room for
    uint most;         // items of one source
    uint group_items;  // items of one workgroup of the consumer: its lanes
    uint buckets;      // in use
    uint reserved;
    uint bucket_first[kMostBuckets + 1u];  // where each bucket's entries begin in the list; then their end
    uint bucket_entries[kMostBuckets];     // written by pushes
    uint reserved_end[3];
};

SUBLET_CHECK_SIZE(ExpansionState, 48 + 68 * 4);
SUBLET_CHECK_OFFSET(ExpansionState, items, 16);
SUBLET_CHECK_OFFSET(ExpansionState, bucket_first, 48);

// kExpansionGenerated: what the dispatch of a source is told, at the end of the consumer's push constants, and the
// sequence of generated commands that does so.
struct ExpansionPushed {
    uint first_group;  // among those of all sources
    uint source;
    uint count;  // of its items
};
struct ExpansionSequence {
    ExpansionPushed pushed;
    DispatchCommand groups;
};
SUBLET_CHECK_SIZE(ExpansionSequence, 24);

// Of the shaders that run an expansion alone (shaders/expansion/probe_*.comp).
struct ExpansionProbeSource {
    uint count;
    uint first_item;  // items of all sources before it
};
struct ExpansionProbeConstants {  // of the consumer
    uint source_count;
    ExpansionPushed pushed;
};
struct ExpansionProbeResult {
    uint popped;    // items
    uint repeated;  // popped before
    uint strays;    // that no source pushed
    uint moved;     // whose work item is not their place in the order of the sources
    uint overflow;
    uint reserved[3];
};

SUBLET_CHECK_SIZE(ExpansionProbeSource, 8);
SUBLET_CHECK_SIZE(ExpansionProbeResult, 32);

SUBLET_SHARED_END
#endif
