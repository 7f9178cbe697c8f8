// The HiZ pyramid and the view that bounds are tested in against it, shared by C++ and GLSL.
#ifndef SUBLET_SHARED_OCCLUSION_H
#define SUBLET_SHARED_OCCLUSION_H

#include "types.h"

SUBLET_SHARED_BEGIN

// A workgroup of hiz.comp reduces a tile of kHizTile x kHizTile texels by kHizTileLevels levels.
SUBLET_CONST uint kHizTile = 64u;
SUBLET_CONST uint kHizTileLevels = 6u;
// Pixels of a side of the largest depth image: 15 levels, of which three rounds of tiles make 18.
SUBLET_CONST uint kHizMaxSize = 32768u;
// Groups of tiles that finish a pyramid of that size, and the counters of hiz.comp: one each, and one for all.
SUBLET_CONST uint kHizMaxGroups = 64u;
SUBLET_CONST uint kHizCounters = 65u;

// Where the levels of a pyramid lie in its buffer of floats. Level 0 is the depth image and not stored. A texel (x, y)
// of level L holds the farthest (least, for reversed Z) depth of the pixels [x << L, (x + 1) << L) x [y << L, (y + 1)
// << L) that the image has; the level is ceil(width / 2^L) x ceil(height / 2^L) texels. See render/view/hiz_layout.h.
struct HizLayout {
    uint width;  // pixels of the depth image, 1 to kHizMaxSize
    uint height;
    uint first_level;  // the finest one stored, at least 1
    uint last_level;   // the 1x1 one; all between are stored
    uvec4 offsets[4];  // offsets[L / 4][L % 4]: first float of level L; its rows are a multiple of 2 floats apart
};

// Push constants of hiz.comp.
struct HizConstants {
    HizLayout hiz;
    uint group_tiling;  // columns of workgroups in a strip (thread_group_tiling.glsl); 0: off
    uint reserved0, reserved1, reserved2;
};

// A view, prepared to project bounds onto the pixels of a pyramid. See render/view/occlusion.h and
// sphere_projection.glsl.
struct OcclusionView {
    // World to view: x to the right and y downwards in the window, z forward, in world units; dot(row.xyz, p) + row.w.
    vec4 rows[3];
    // Pixels, y down, the first one's corner at 0: position * xy + zw, of (x/z, y/z), or of (x, y) in an orthographic
    // view. xy > 0.
    vec4 window;
    // x: distance of the near plane, > 0. y, z: depth = y + z * view z in an orthographic view; unused otherwise, where
    // depth = x / view z. w: 1 for an orthographic view, else 0.
    vec4 depth;
    // x: the largest |rows[i].w|. y: pixels that a vertex may lie beside where it is projected. zw unused.
    vec4 magnitude;
    HizLayout hiz;
};

SUBLET_CHECK_SIZE(HizLayout, 80);
SUBLET_CHECK_SIZE(HizConstants, 96);
SUBLET_CHECK_OFFSET(HizLayout, offsets, 16);
SUBLET_CHECK_SIZE(OcclusionView, 6 * 16 + 80);
SUBLET_CHECK_OFFSET(OcclusionView, hiz, 96);

SUBLET_SHARED_END
#endif
