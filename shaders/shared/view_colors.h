// Colours that views and overlays use, as they are stored: the legend shows the same. 0xBBGGRR, sRGB-encoded.
#ifndef SUBLET_SHARED_VIEW_COLORS_H
#define SUBLET_SHARED_VIEW_COLORS_H

#include "inspect.h"

#ifdef __cplusplus
#define SUBLET_LIST(type, values) \
    { values }
#else
#define SUBLET_LIST(type, values) type[](values)
#endif

SUBLET_SHARED_BEGIN

// When a pixel was drawn.
SUBLET_CONST uint kColorPhase1 = 0x4d9933u;
SUBLET_CONST uint kColorPhase2 = 0x334de6u;

// How a triangle was drawn.
SUBLET_CONST uint kColorPathLane = 0x4d9933u;
SUBLET_CONST uint kColorPathGroup = 0xe66640u;
SUBLET_CONST uint kColorPathCut = 0x334de6u;
SUBLET_CONST uint kColorPathGraphics = 0x808080u;

// Pixels that a triangle covers: below 1/4, 1, 4, 16, 64, and more. From too fine to coarse.
#define SUBLET_DENSITY_COLORS 0x2424c8u, 0x2a7df0u, 0x3cd2f0u, 0x5abe50u, 0xd2a03cu, 0xa05078u
SUBLET_CONST uint kDensitySteps = 6u;
SUBLET_CONST uint kDensityColors[kDensitySteps] = SUBLET_LIST(uint, SUBLET_DENSITY_COLORS);

// The error of what is drawn as a share of what was asked for: none, up to 1/4, 1/2, 3/4, 1.
#define SUBLET_LOD_ERROR_COLORS 0xa05078u, 0xd2a03cu, 0x5abe50u, 0x3cd2f0u, 0x2a7df0u
SUBLET_CONST uint kLodErrorSteps = 5u;
SUBLET_CONST uint kLodErrorColors[kLodErrorSteps] = SUBLET_LIST(uint, SUBLET_LOD_ERROR_COLORS);

// What is as fine as was asked for; and what stands in for what is not there, by how many times its error is more than
// that: up to 2, 4, 16, and more.
#define SUBLET_RESIDENCY_COLORS 0x5abe50u, 0x3cd2f0u, 0x2a7df0u, 0x2424c8u, 0xa050c8u
SUBLET_CONST uint kResidencySteps = 5u;
SUBLET_CONST uint kResidencyColors[kResidencySteps] = SUBLET_LIST(uint, SUBLET_RESIDENCY_COLORS);

// What was there from the beginning; what came up to 4, 32, 256 frames ago, and longer.
#define SUBLET_AGE_COLORS 0x808080u, 0xf0f0ffu, 0x3cd2f0u, 0x5abe50u, 0xa05078u
SUBLET_CONST uint kAgeSteps = 5u;
SUBLET_CONST uint kAgeColors[kAgeSteps] = SUBLET_LIST(uint, SUBLET_AGE_COLORS);

// The sun's shadow maps, the smallest first; what lies in none.
#define SUBLET_SHADOW_MAP_COLORS 0x3c3ce6u, 0x3cb4f0u, 0x5abe50u, 0xdc8c3cu, 0xb4b4b4u
SUBLET_CONST uint kShadowMapColors[5] = SUBLET_LIST(uint, SUBLET_SHADOW_MAP_COLORS);

// Pixels that a texel of a shadow map covers each way: up to 1/2, 1, 2, 4, and more.
#define SUBLET_SHADOW_TEXEL_COLORS 0xa05078u, 0xd2a03cu, 0x5abe50u, 0x3cd2f0u, 0x2424c8u
SUBLET_CONST uint kShadowTexelSteps = 5u;
SUBLET_CONST uint kShadowTexelColors[kShadowTexelSteps] = SUBLET_LIST(uint, SUBLET_SHADOW_TEXEL_COLORS);

// Triangles that cover a pixel: 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 32, 33 to 64, and more.
#define SUBLET_OVERDRAW_COLORS 0x6e3c28u, 0xaa6428u, 0xb4aa32u, 0x64be50u, 0x3cd2dcu, 0x28a0f0u, 0x2850e6u, 0xf0f0ffu
SUBLET_CONST uint kOverdrawSteps = 8u;
SUBLET_CONST uint kOverdrawColors[kOverdrawSteps] = SUBLET_LIST(uint, SUBLET_OVERDRAW_COLORS);

// Layers of what blends that a pixel has: 0 to 8, and more than are kept.
#define SUBLET_BLEND_LAYER_COLORS \
    0x505050u, 0x6e3c28u, 0xaa6428u, 0xb4aa32u, 0x64be50u, 0x3cd2dcu, 0x28a0f0u, 0x2850e6u, 0xa050c8u, 0xf0f0ffu
SUBLET_CONST uint kBlendLayerSteps = 10u;
SUBLET_CONST uint kBlendLayerColors[kBlendLayerSteps] = SUBLET_LIST(uint, SUBLET_BLEND_LAYER_COLORS);

// By kVerdict...: frustum red, cone green, occlusion blue, the finer the level the brighter; no centre yellow.
#define SUBLET_VERDICT_COLORS                                                                                     \
    0x808080u, 0x2828b4u, 0x808080u, 0xb43c28u, 0x4646e6u, 0x50aa32u, 0xe66e3cu, 0x9696ffu, 0x96e682u, 0xffaa78u, \
        0x3cdcf0u
SUBLET_CONST uint kVerdictColors[kVerdicts] = SUBLET_LIST(uint, SUBLET_VERDICT_COLORS);

// Motion: right red, left without it, up green, down without it, the stronger the longer. From this many pixels a frame
// on it is as strong as can be.
SUBLET_CONST float kMostMotion = 64.0f;
SUBLET_CONST uint kColorStill = 0x808080u;
SUBLET_CONST uint kColorRight = 0x8080ffu;
SUBLET_CONST uint kColorLeft = 0x808000u;
SUBLET_CONST uint kColorUp = 0x80ff80u;
SUBLET_CONST uint kColorDown = 0x800080u;

SUBLET_CONST uint kColorSelection = 0x00a0ffu;   // outline and tint
SUBLET_CONST uint kColorFrustum = 0x28e6ffu;     // of the frozen camera
SUBLET_CONST uint kColorJoint = 0xffdc50u;       // and lines to the joints that they hang on
SUBLET_CONST uint kColorNoTriangle = 0xff00ffu;  // wide ids alone: none was found. No picture shows it

SUBLET_SHARED_END
#endif
