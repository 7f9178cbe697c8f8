// The sun's shadow maps, as C++ and shading share them.
#ifndef SUBLET_SHARED_SHADOW_H
#define SUBLET_SHARED_SHADOW_H

#include "types.h"

SUBLET_SHARED_BEGIN

SUBLET_CONST uint kShadowMaps = 4u;  // at most; layers of one image

// Where a point of the world lies in one: rows of an affine matrix. x and y: texels from the upper left; z: depth, 1
// next to the sun.
struct ShadowMap {
    vec4 rows[3];
    float texel;  // its width, in units of the world
    float depth;  // what a depth of 1 is, likewise
    uint layer;   // of the image
    uint reserved;
};

struct ShadowMaps {
    ShadowMap maps[kShadowMaps];  // the smallest first
    uint count;
    float size;  // texels along a side
    uint reserved_1, reserved_2;
};

// Push constants of view/keep_shadow.comp.
struct KeepShadowConstants {
    uint size;   // texels along a side
    uint layer;  // of the image
};

SUBLET_CHECK_SIZE(ShadowMap, 64);
SUBLET_CHECK_SIZE(ShadowMaps, 4 * 64 + 16);

SUBLET_SHARED_END
#endif
