// What a prefix sum (render/expansion/scan.h) leaves at the start of its workspace, and what its passes are told.
#ifndef SUBLET_SHARED_SCAN_H
#define SUBLET_SHARED_SCAN_H

#include "types.h"

SUBLET_SHARED_BEGIN

struct ScanState {
    uint total;     // sum of all elements; 0 for none
    uint problems;  // kScanSumOverflow | kScanCountOverflow; 0: the result is right
    // Of all scans since the workspace was cleared, which is when it was made, or, without 64-bit atomics, before each
    // scan:
    uint recomputed;            // times that a workgroup gave up waiting and summed up a predecessor's elements itself
    uint published_for_others;  // those of them that were published before the predecessor's own sum
};

// ScanState::problems
SUBLET_CONST uint kScanSumOverflow = 1u;    // narrow form: the elements sum up to 2^30 or more
SUBLET_CONST uint kScanCountOverflow = 2u;  // the count in the buffer is greater than the most that was recorded

// The ticket's and the partitions' words follow the state here: a multiple of any device's
// minStorageBufferOffsetAlignment.
SUBLET_CONST uint kScanWordsOffset = 256u;

struct ScanConstants {
    uint count;        // elements, or the most of them when the count comes from a buffer
    uint count_index;  // where it lies there, in words
    uint flags;
};

// ScanConstants::flags
SUBLET_CONST uint kScanInclusive = 1u;
SUBLET_CONST uint kScanCountFromBuffer = 2u;
SUBLET_CONST uint kScanInPlace = 4u;

SUBLET_CHECK_SIZE(ScanState, 16);
SUBLET_CHECK_SIZE(ScanConstants, 12);

SUBLET_SHARED_END
#endif
