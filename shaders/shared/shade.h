// What C++ and the shading pass share.
#ifndef SUBLET_SHARED_SHADE_H
#define SUBLET_SHARED_SHADE_H

#include "types.h"

SUBLET_SHARED_BEGIN

// What a picture shows.
SUBLET_CONST uint kShowShaded = 0u;
SUBLET_CONST uint kShowDepth = 1u;
SUBLET_CONST uint kShowInstances = 2u;
SUBLET_CONST uint kShowMeshlets = 3u;
SUBLET_CONST uint kShowSublets = 4u;
SUBLET_CONST uint kShowTriangles = 5u;
SUBLET_CONST uint kShowNormals = 6u;
SUBLET_CONST uint kShowUv = 7u;
SUBLET_CONST uint kShowBarycentrics = 8u;
SUBLET_CONST uint kShowMaterials = 9u;
SUBLET_CONST uint kShowPhase = 10u;
SUBLET_CONST uint kShowPath = 11u;

// Push constants of shade/shade.comp.
struct ShadeConstants {
    uvec2 size;  // of the window, in pixels
    uint show;   // kShow...
    uint group_tiling;
    uint background;    // RGBA, 8 bits each, sRGB-encoded
    uint raster_limit;  // pixels of the bounding box of a triangle that a lane draws (backends/raster.comp)
};

SUBLET_CHECK_SIZE(ShadeConstants, 24);

SUBLET_SHARED_END
#endif
