// What C++ and the shading pass share.
#ifndef SUBLET_SHARED_SHADE_H
#define SUBLET_SHARED_SHADE_H

#include "inspect.h"

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
SUBLET_CONST uint kShowDensity = 12u;
SUBLET_CONST uint kShowOverdraw = 13u;
SUBLET_CONST uint kShowHiz = 14u;
SUBLET_CONST uint kShowCulled = 15u;

// Push constants of shade/shade.comp.
struct ShadeConstants {
    uvec2 size;  // of the window, in pixels
    uint show;   // kShow...
    uint group_tiling;
    uint background;    // RGBA, 8 bits each, sRGB-encoded
    uint raster_limit;  // pixels of the bounding box of a triangle that a lane draws (backends/raster.comp)
    uint inspect;       // kInspect...: with kSpecInspect
    // Ids that are outlined: so many from the first on, and of wide ones those of the instance.
    uint selected_first;
    uint selected_count;
    uint selected_instance;
    uint probes[kMostProbes];  // x + (y << 16), or kNoProbe
    uvec2 hiz_size;            // pixels that the pyramid was made of
    uint hiz_level;            // that kShowHiz shows: where it begins, and floats from a row to the next
    uint hiz_offset;
    uint hiz_pitch;
    uint reserved;
};

SUBLET_CHECK_SIZE(ShadeConstants, 80);

SUBLET_SHARED_END
#endif
