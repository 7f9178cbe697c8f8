// Ambient occlusion: what C++, shade/ambient.comp and shade/ambient.glsl share.
#ifndef SUBLET_SHARED_AMBIENT_H
#define SUBLET_SHARED_AMBIENT_H

#include "types.h"

SUBLET_SHARED_BEGIN

// A texel is for so many pixels each way. Its directions are those of its place in a square of kAmbientPattern texels:
// all of these together have each of them once.
SUBLET_CONST uint kAmbientPixels = 2u;
SUBLET_CONST uint kAmbientPattern = 4u;

SUBLET_CONST float kAmbientNowhere = 1024.0f;  // the logarithm of a distance at which nothing is

struct AmbientConstants {
    uvec2 size;       // of the picture, in pixels
    uint in_compute;  // shade/seen.glsl
    float radius;     // units of the scene: farther surfaces take no light
};

SUBLET_CHECK_SIZE(AmbientConstants, 16);

// Texels for a picture of this size.
SUBLET_FUNCTION uvec2 ambient_texels(uvec2 size) {
    uvec2 texels;
    texels.x = (size.x + kAmbientPixels - 1u) / kAmbientPixels;
    texels.y = (size.y + kAmbientPixels - 1u) / kAmbientPixels;
    return texels;
}

SUBLET_SHARED_END
#endif
