// Shadow maps of the sun and of punctual lights, as C++ and shading share them.
#ifndef SUBLET_SHARED_SHADOW_H
#define SUBLET_SHARED_SHADOW_H

#include "types.h"

SUBLET_SHARED_BEGIN

SUBLET_CONST uint kShadowMaps = 4u;  // of the sun, at most; layers of one image
SUBLET_CONST uint kLightMaps = 64u;  // of all other lights, at most; layers of another

// kSpecShadows: what casts shadows.
SUBLET_CONST uint kSunShadows = 1u;
SUBLET_CONST uint kLightShadows = 2u;

// Where a point of the world lies in one of the sun's: rows of an affine matrix. x and y: texels from the upper left;
// z: depth, 1 next to the sun.
struct ShadowMap {
    vec4 rows[3];
    float texel;  // its width, in units of the world
    float depth;  // what a depth of 1 is, likewise
    uint layer;   // of the image
    uint reserved;
};

// One of a light's, in perspective: a square of a spot's, or a face of the cube around a point. Depth is nearest over
// the distance along its line of sight.
struct LightMap {
    vec4 rows[3];   // what a point of the world has: texels to the right and down, times that distance; the distance
    float nearest;  // where its near plane is
    float texel;    // a texel's width at a distance of 1
    uint layer;     // of the image
    uint faces;     // 1, or 6: then this is one of as many in a row, that of x, -x, y, -y, z, -z
};

struct ShadowMaps {
    ShadowMap maps[kShadowMaps];  // the smallest first
    LightMap light_maps[kLightMaps];
    uint count;
    float size;  // texels along a side
    uint light_count;
    float light_size;
};

// Texels of a lane of view/keep_shadow.comp, each way.
SUBLET_CONST uint kKeptTexels = 2u;

// Push constants of that.
struct KeepShadowConstants {
    uint size;   // texels along a side
    uint layer;  // of the image
};

SUBLET_CHECK_SIZE(ShadowMap, 64);
SUBLET_CHECK_SIZE(LightMap, 64);
SUBLET_CHECK_SIZE(ShadowMaps, (4 + 64) * 64 + 16);

SUBLET_SHARED_END
#endif
