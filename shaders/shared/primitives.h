// What culling of triangles and their pass (cull/primitives.comp) share with C++, and what packed.task makes of it.
#ifndef SUBLET_SHARED_PRIMITIVES_H
#define SUBLET_SHARED_PRIMITIVES_H

#include "types.h"

SUBLET_SHARED_BEGIN

// Forms of its output; a greater number is that of a batch's lanes.
SUBLET_CONST uint kPrimitiveIndices = 0u;
SUBLET_CONST uint kPrimitiveMasks = 1u;

// Where window coordinates count from: the centre of pixel (i, j) is at kWindowOrigin + (i, j) * subpixels.
SUBLET_CONST float kWindowOrigin = 10485760.0f;  // 2^23 + 2^21

// Slots of the list of surviving sublets that a workgroup of packed.task takes.
SUBLET_CONST uint kPackedSlots = 256u;

SUBLET_SHARED_END
#endif
