// What C++, the shading pass and the pass that measures its light share.
#ifndef SUBLET_SHARED_EXPOSURE_H
#define SUBLET_SHARED_EXPOSURE_H

#include "types.h"

SUBLET_SHARED_BEGIN

// Bins of a histogram of light, by its logarithm: so many a stop, from that many stops below 1 on.
SUBLET_CONST uint kExposureBins = 256u;
SUBLET_CONST uint kExposureBinsPerStop = 8u;
SUBLET_CONST float kExposureLeast = -16.0f;

// Of a view, kept from frame to frame. All 0: nothing was measured yet.
struct ExposureState {
    float exposure;            // light is multiplied by it; 0: by 1
    uint bins[kExposureBins];  // of the frame that is drawn: a pixel in sixteen
};

SUBLET_SHARED_END
#endif
