// What culling counts of a frame.
#ifndef SUBLET_SHARED_COUNTERS_H
#define SUBLET_SHARED_COUNTERS_H

#include "types.h"

SUBLET_SHARED_BEGIN

// What tests say of an instance, meshlet, sublet or triangle. The first that rejects it counts.
SUBLET_CONST uint kPasses = 0u;
SUBLET_CONST uint kOutside = 1u;        // of the view
SUBLET_CONST uint kFacesAway = 2u;      // by its cone, or itself
SUBLET_CONST uint kHidden = 3u;         // behind what is drawn already
SUBLET_CONST uint kBetweenPixels = 4u;  // it reaches no pixel's centre
SUBLET_CONST uint kUnseen = 5u;         // phase 1 alone: the last frame saw nothing of it
SUBLET_CONST uint kInvisible = 6u;      // an instance that is hidden: no test is made

// Counters are 64 bits wide, in two words, low first.
SUBLET_CONST uint kCounterInstancesVisible = 0u;
SUBLET_CONST uint kCounterMeshletsTested = 1u;
SUBLET_CONST uint kCounterMeshletsDrawn = 2u;
SUBLET_CONST uint kCounterPrimitivesDrawn = 3u;
SUBLET_CONST uint kCounterPrimitivesTested = 4u;
// Of the compute rasteriser: triangles left to workgroups, and sublets that its list had no room for.
SUBLET_CONST uint kCounterRasterLarge = 5u;
SUBLET_CONST uint kCounterRasterLeft = 6u;
// Meshlets that the expansion had no room for.
SUBLET_CONST uint kCounterOverflow = 7u;
// The funnel (docs/CULLING.md) counts an item once a frame: phase 1 counts what has a bit of the last frame, phase 2
// what has none. `Rejected`: where those of verdict kOutside are, the others behind it. Of bounds kOutside stands for
// kBetweenPixels and kInvisible too.
SUBLET_CONST uint kCounterInstancesPassed = 8u;
SUBLET_CONST uint kCounterInstancesRejected = 9u;
SUBLET_CONST uint kCounterMeshlets = 12u;  // of instances that pass
SUBLET_CONST uint kCounterMeshletsRejected = 13u;
SUBLET_CONST uint kCounterSublets = 16u;  // of meshlets that are drawn
SUBLET_CONST uint kCounterSubletsRejected = 17u;
SUBLET_CONST uint kCounterSubletsDrawn = 20u;
SUBLET_CONST uint kCounterTriangles = 21u;  // of sublets that are drawn
SUBLET_CONST uint kCounterTrianglesRejected = 22u;
SUBLET_CONST uint kCounterPixelsCovered = 26u;
// Of scenes with levels of detail: triangles of meshlets that are tested, and of the finest level of instances that
// pass. The latter has two counters, of the low 16 bits and of the rest, so that no sum of a subgroup is too large.
SUBLET_CONST uint kCounterCutTriangles = 27u;
SUBLET_CONST uint kCounterFinestTriangles = 28u;
// Triangles of meshlets that are drawn, by level; the last one counts all that are coarser, too.
SUBLET_CONST uint kCounterLevelTriangles = 30u;
SUBLET_CONST uint kCountedLevels = 16u;
SUBLET_CONST uint kCounters = 46u;

SUBLET_SHARED_END
#endif
