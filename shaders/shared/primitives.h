// What the primitive pass (cull/primitives.comp) leaves of the triangles that survive, and what packed.task makes of
// it.
#ifndef SUBLET_SHARED_PRIMITIVES_H
#define SUBLET_SHARED_PRIMITIVES_H

#include "types.h"

SUBLET_SHARED_BEGIN

// Forms of its output; a greater number is that of a batch's lanes.
SUBLET_CONST uint kPrimitiveIndices = 0u;
SUBLET_CONST uint kPrimitiveMasks = 1u;

// Slots of the list of surviving sublets that a workgroup of packed.task takes.
SUBLET_CONST uint kPackedSlots = 256u;

SUBLET_SHARED_END
#endif
