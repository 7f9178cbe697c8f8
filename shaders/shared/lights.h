// Punctual lights (KHR_lights_punctual) and the clusters of a view, which list them: what C++ and shaders share.
#ifndef SUBLET_SHARED_LIGHTS_H
#define SUBLET_SHARED_LIGHTS_H

#include "types.h"

SUBLET_SHARED_BEGIN

// PunctualLight::kind: scene::LightType.
SUBLET_CONST uint kLightDirectional = 0u;
SUBLET_CONST uint kLightPoint = 1u;
SUBLET_CONST uint kLightSpot = 2u;

// A light of the scene. Those that reach everywhere come first: directional ones, and those without a range.
struct PunctualLight {
    vec4 position;   // xyz; w: its range, where its light ends; 0: it has no end
    vec4 color;      // rgb, linear: candela, or lux of a directional light
    vec4 direction;  // xyz: where it shines, unit length; w: of a spot, the cosine of its outer angle
    uint kind;
    float cone_scale;  // of a spot: the cosine of an angle from its direction becomes a part of its light
    float cone_offset;
    uint maps;  // 1 + the first of its shadow maps, in a view's own copy of lights; 0: it has none
};

// A view is divided into clusters: tiles of kClusterTile pixels each way, and slices of the distance along the line of
// sight, each as many times as far as the one before. The first begins at the eye, or behind it where the view is
// orthographic; the last has no end. Numbered by columns, rows, slices.
SUBLET_CONST uint kClusterTile = 64u;
SUBLET_CONST uint kClusterSlices = 32u;
// Blocks of clusters, so many each way, for each of which a workgroup finds lights: large ones first, then small ones
// within them. Words of a block: how many lights may reach into it, and which these are. Of a large one there is room
// for all lights, of a small one for so many words at most.
SUBLET_CONST uint kClusterLanes = 128u;
SUBLET_CONST uint kLargeBlock = 4u;
SUBLET_CONST uint kClusterBlock = 2u;
SUBLET_CONST uint kMostBlockWords = 2048u;

// The start of what a view has of lights. At word kClusterWords lie the scene's lights, as they are in this frame. At
// first_end lies, of each cluster, where its list ends and the next one begins; behind those lie the lists: numbers of
// lights, ascending. It is one buffer, since some devices bind few.
struct ClusterState {
    uvec2 tiles;              // columns and rows
    uint first_end;           // a word
    uint lights;              // of the scene
    uint everywhere;          // those of them that come first, and stand in no list
    float nearest;            // where the second slice begins
    float slices_per_octave;  // of the distance
    uint capacity;            // of all lists, in words
    uint most;                // of one cluster: it counts no more than one beyond that, so that no sum overflows
    float reach;              // a factor of ranges: 1, but for tests
    // What the passes count:
    uint in_view;   // lights with a range that reach into the view
    uint listed;    // entries of lists, those too that have no room
    uint too_long;  // clusters whose list has no room: their pixels walk all lights
    uint reserved[3];
};
// Bytes of these words, and of so many lights, are what every device can bind at.
SUBLET_CONST uint kClusterWords = 64u;
SUBLET_CONST uint kLightsAligned = 4u;

// A light with a range that reaches into the view, as the view sees it: x to the right, y down, z along the line of
// sight.
struct ClusterLight {
    vec4 sphere;  // around what it lights
    vec4 cone;    // xyz: where it shines; w: the cosine of its angle, -1 where it shines all around
    uint number;  // of the light
    uint reserved[3];
};

// Push constants of shade/lights_....comp.
struct ClusterConstants {
    uvec2 size;         // of the window, in pixels
    uint write;         // 0: things are counted, 1: and then written
    uint block_words;   // of a small block
    uint large_blocks;  // the word at which the first large block's begin
    uint reserved;
};

SUBLET_CHECK_SIZE(PunctualLight, 64);
SUBLET_CHECK_SIZE(ClusterState, 64);
SUBLET_CHECK_SIZE(ClusterLight, 48);
SUBLET_CHECK_SIZE(ClusterConstants, 24);

SUBLET_SHARED_END
#endif
