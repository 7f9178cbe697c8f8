// What C++ and difference.comp share.
#ifndef SUBLET_SHARED_DIFFERENCE_H
#define SUBLET_SHARED_DIFFERENCE_H

#include "types.h"

SUBLET_SHARED_BEGIN

struct DifferenceConstants {
    uvec2 size;  // of both pictures, in pixels
};

SUBLET_CHECK_SIZE(DifferenceConstants, 8);

SUBLET_SHARED_END
#endif
