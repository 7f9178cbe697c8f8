// What C++ and shade/temporal.comp share.
#ifndef SUBLET_SHARED_TEMPORAL_H
#define SUBLET_SHARED_TEMPORAL_H

#include "types.h"

SUBLET_SHARED_BEGIN

struct TemporalConstants {
    uvec2 size;        // of the picture, in pixels
    uint has_history;  // 0: this is the first frame
    uint reserved;
};

// Distances that motion and history hold are in near planes; this one stands for all beyond.
SUBLET_CONST float kFarthest = 65504.0f;

SUBLET_CHECK_SIZE(TemporalConstants, 16);

SUBLET_SHARED_END
#endif
