// What looking inside shares with C++: verdicts of the culling tests, overlays, and what is known of single pixels.
#ifndef SUBLET_SHARED_INSPECT_H
#define SUBLET_SHARED_INSPECT_H

#include "types.h"

SUBLET_SHARED_BEGIN

// The first test that rejects a sublet: kVerdictDrawn, or the first of its level and what that test says, from kOutside
// on (counters.h). Instances have no cone.
SUBLET_CONST uint kVerdictDrawn = 0u;  // none does
SUBLET_CONST uint kVerdictInstance = 1u;
SUBLET_CONST uint kVerdictMeshlet = 4u;
SUBLET_CONST uint kVerdictSublet = 7u;
SUBLET_CONST uint kVerdictNoCenter = 10u;  // between pixel centres, at any level
SUBLET_CONST uint kVerdicts = 11u;
SUBLET_CONST uint kVerdictInvisible = 255u;  // none of a test: its instance is not visible at all

// Push constants of inspect/verdicts.comp.
struct VerdictConstants {
    uint instances_only;  // no other tests are made: direct draws
    uint whole_meshlets;  // phase 1 draws all sublets of a meshlet that was visible: there are no finer bits
};

// Push constants of inspect/overlay.vert.
struct OverlayConstants {
    uvec2 size;         // of the window, in pixels
    uint shape;         // kShape...
    uint level;         // kLevel...: whose bounds
    uint instance;      // kAll, or the one whose bounds are drawn, with
    uint item;          // the meshlet or the sublet, within its mesh
    float frustum_end;  // distance along the frozen view's edges
    uint in_compute;    // the compute rasteriser drew: shade/seen.glsl
};
SUBLET_CONST uint kAll = 0xffffffffu;

SUBLET_CONST uint kShapeSphere = 0u;
SUBLET_CONST uint kShapeBox = 1u;
SUBLET_CONST uint kShapeCone = 2u;
SUBLET_CONST uint kShapeFrustum = 3u;

SUBLET_CONST uint kLevelInstance = 0u;
SUBLET_CONST uint kLevelMeshlet = 1u;
SUBLET_CONST uint kLevelSublet = 2u;

// Lines of a circle; a sphere is three great circles and its silhouette.
SUBLET_CONST uint kCircleLines = 32u;
SUBLET_CONST uint kSphereCircles = 4u;
SUBLET_CONST uint kBoxLines = 12u;  // of a frustum too
SUBLET_CONST uint kConeSpokes = 4u;

// Push constants of inspect/floor_grid.frag.
struct FloorGridConstants {
    vec4 clip_z;  // the rows of the world-to-clip matrix that make the depth: z over w
    vec4 clip_w;
    // The line that a pixel looks along starts at one of these points and has the other's direction: `across`, which is
    // across[0] * x + across[1] * y + across[2] at (x, y) in normalised device coordinates, y down; and `fixed_part`,
    // which is that of all pixels.
    vec4 across[3];
    vec4 fixed_part;  // w: 1 where it is the direction (orthographic), 0 where it is the start (the eye)
    float height;     // y of the grid's plane
    float spacing;    // of its lines
    float reach;      // distance from the eye at which it has faded away
    uint in_compute;  // the compute rasteriser drew: shade/seen.glsl
    uvec2 size;       // of the window, in pixels
    uvec2 reserved_pair;
};

// Push constants of inspect/motion.comp.
struct MotionConstants {
    vec4 clip_before[4];  // rows of the last frame's world-to-clip matrix, shifted as this one's is
    uvec2 size;           // of the window, in pixels
    uint pose_before;     // where the pose of the last frame lies behind that of this one: DeformedMesh
    uint in_compute;      // the compute rasteriser drew: shade/seen.glsl
};

// A joint of a skin, in the space of the bind pose: the origin column of the inverse of its inverse bind matrix.
struct JointPlace {
    float x;
    float y;
    float z;
    uint parent;  // the joint of the skin that it hangs on, or kNoJoint; | kJointLost
};
SUBLET_CONST uint kNoJoint = 0x7fffffffu;
SUBLET_CONST uint kJointLost = 0x80000000u;  // there is no such inverse

// A skin in a pose, in one place.
struct Skeleton {
    uint instance;      // one of those that it deforms: its transform comes after the skin's
    uint first_matrix;  // of the skin's, in the list of shared/deform.h
    uint first_place;   // of its joints, in their list
    uint joint_count;
};
// To the joint above, and the four sides of its mark.
SUBLET_CONST uint kJointLines = 5u;

// ShadeConstants::inspect
SUBLET_CONST uint kInspectWireframe = 1u;
SUBLET_CONST uint kInspectProbes = 2u;
SUBLET_CONST uint kInspectNearest = 4u;

SUBLET_CONST uint kMostProbes = 4u;
SUBLET_CONST uint kNoProbe = 0xffffffffu;

// What a pixel shows.
struct InspectedPixel {
    uint depth;  // a float's bits; 0: nothing
    uint instance;
    uint sublet;  // within the instance's mesh
    uint triangle;
    uint level;  // of detail
    uint error;  // a float's bits: of that level there, as a share of --lod-error
};
struct Inspected {
    InspectedPixel probes[kMostProbes];
    uint nearest;  // bits of the greatest depth of the picture
    uint reserved[3];
};

SUBLET_CHECK_SIZE(OverlayConstants, 32);
SUBLET_CHECK_SIZE(FloorGridConstants, 128);
SUBLET_CHECK_SIZE(MotionConstants, 80);
SUBLET_CHECK_SIZE(Inspected, 112);
SUBLET_CHECK_SIZE(JointPlace, 16);
SUBLET_CHECK_SIZE(Skeleton, 16);

SUBLET_SHARED_END
#endif
