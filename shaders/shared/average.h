// What C++ and shade/average.comp share.
#ifndef SUBLET_SHARED_AVERAGE_H
#define SUBLET_SHARED_AVERAGE_H

#include "types.h"

SUBLET_SHARED_BEGIN

struct AverageConstants {
    uvec2 size;     // of the picture, in pixels
    uint frames;    // in the sum once this one is
    uint repeated;  // 1: it adds nothing
};

SUBLET_CHECK_SIZE(AverageConstants, 16);

SUBLET_SHARED_END
#endif
