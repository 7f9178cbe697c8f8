// What C++ and raster_difference.comp share.
#ifndef SUBLET_SHARED_RASTER_DIFFERENCE_H
#define SUBLET_SHARED_RASTER_DIFFERENCE_H

#include "types.h"

SUBLET_SHARED_BEGIN

// How a pixel of the compute rasteriser's differs from a graphics pipeline's.
SUBLET_CONST uint kRasterSame = 0u;
SUBLET_CONST uint kRasterEdge = 1u;
SUBLET_CONST uint kRasterDepth = 2u;
SUBLET_CONST uint kRasterWrong = 3u;

struct RasterDifferenceConstants {
    uvec2 size;   // of the window, in pixels
    float snap;   // pixels that an edge may lie elsewhere
    uint layers;  // 2: there are transmissive surfaces
};

SUBLET_CHECK_SIZE(RasterDifferenceConstants, 16);

SUBLET_SHARED_END
#endif
