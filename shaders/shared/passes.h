// Push constants of the passes that decode, cull and draw.
#ifndef SUBLET_SHARED_PASSES_H
#define SUBLET_SHARED_PASSES_H

#include "expansion.h"
#include "scene.h"

SUBLET_SHARED_BEGIN

// What the words of the compute rasteriser hold (backends/raster_pixels.glsl): kSpecRasterWords.
SUBLET_CONST uint kWordsPixels = 0u;  // depth and id at once, by atomics of 64 bits
SUBLET_CONST uint kWordsDepths = 1u;  // depths of those, without such atomics
SUBLET_CONST uint kWordsIds = 2u;     // and in a second pass the ids of those that have the depth
SUBLET_CONST uint kWordsDepth = 3u;   // depths alone, one word a pixel
SUBLET_CONST uint kWordsLayers = 4u;  // layers of what blends (view/layers.glsl)

// scene/decode.comp
struct DecodeConstants {
    uint mesh_count;
    uint meshlet_count;
    uint index_bits;  // 8 or 16: relative to the meshlet, in a zeroed buffer; 32: to the direct chunk; 0: none
    uint parts;       // kDecode...
    uint listed;      // meshlets in a list, from word `list` of kBindBlock on; 0: all are looked at
    uint list;
};
SUBLET_CONST uint kDecodeRecords = 1u;   // records of sublets
SUBLET_CONST uint kDecodeVertices = 2u;  // positions and attributes,
SUBLET_CONST uint kDecodeLeads = 4u;     // the triangles that vertices lead, and kLead... in positions
SUBLET_CONST uint kDecodeCompactRecords = 8u;

// stream/patch.comp: what kBindBlock has several blocks of. What is copied lies behind a block's copies.
struct BlockCopy {
    uint target;  // kPatch...
    uint to;      // word of it
    uint from;    // word of kBindBlock
    uint words;
};
SUBLET_CONST uint kPatchPayload = 0u;
SUBLET_CONST uint kPatchSubletBounds = 1u;
SUBLET_CONST uint kPatchMeshletRanges = 2u;
SUBLET_CONST uint kPatchLodGroups = 3u;
SUBLET_CONST uint kPatchParts = 8u;   // workgroups that share a copy: one alone waits for its reads in turn
SUBLET_CONST uint kPatchBlocks = 8u;  // at once, at most
struct PatchConstants {
    uint first[kPatchBlocks];   // of each block: the word where its copies begin,
    uint copies[kPatchBlocks];  // and how many it has
};

// stream/wishes.comp: kBindStamps.
struct WishesConstants {
    uint groups;
    uint wish_room;  // of the list
    uint stamp;      // of this frame: more than of any before
    float ahead;  // of the distance to the eye: so far beyond the frustum groups are wanted, too, before they are seen
};
// Words of it: how many wishes there are, those that have no room in their list too; what all groups that are wanted
// take, in units of 2^-kDemandBits of the pool; the largest of the wishes, as float; the list; of each group how much
// is wished for it, as float, and the last frame that used it.
SUBLET_CONST uint kStampWishes = 0u;
SUBLET_CONST uint kStampDemand = 1u;
SUBLET_CONST uint kStampLargest = 2u;
SUBLET_CONST uint kStampList = 3u;
SUBLET_CONST uint kDemandBits = 22u;
SUBLET_CONST uint kWishTasks = 32u;  // of a workgroup

// scene/hide.comp
struct HideConstants {
    uint count;  // instances
};

// cull/meshlets.comp: where the list of what is undone lies, of the round before and of this one, and what each
// has room for.
struct CullMeshletsConstants {
    uint first_before;
    uint first_undone;
    uint capacity;
    ExpansionPushed pushed;
};

// cull/primitives.comp: where what survives of each draw class goes.
struct TriangleRegion {
    uint first_word;    // in the output: of indices, masks or batches
    uint first_header;  // in the output: of the batches' headers, or of the words that tell triangles
};
struct CullPrimitivesConstants {
    TriangleRegion classes[kDrawClasses];
};

// backends/direct.vert, and ambiguous_pixels.vert
struct DirectConstants {
    uint first_sublet;  // of the chunk, within its mesh
    uint first_index;
    uint first_vertex;
};

// backends/mdi.vert
struct MdiConstants {
    uint first_slot;  // of the class that this draw draws
};

// backends/generated.mesh, and mdi.vert for generated commands
struct GeneratedConstants {
    uint instance;
    uint first_sublet;  // of its mesh
};
// The sequence of generated commands that pushes those. `draw` is its command; of mesh tasks it begins with a
// DispatchCommand.
struct GeneratedDraw {
    GeneratedConstants constants;
    DrawIndexedCommand draw;
};
SUBLET_CHECK_SIZE(GeneratedDraw, 28);
// What the meshlet pass writes draws as: kSpecGenerated.
SUBLET_CONST uint kGeneratedNot = 0u;
SUBLET_CONST uint kGeneratedIndexed = 1u;
SUBLET_CONST uint kGeneratedMeshTasks = 2u;

// backends/compact.vert, and id.frag behind it
struct CompactConstants {
    uint first_slot;      // of the class, in the list of surviving sublets
    uint first_index;     // of its indices, in the output of the pass over triangles
    uint first_triangle;  // of the words that tell its triangles, there
};

// backends/sublet.task, backends/sublet.mesh
struct MeshConstants {
    uint draw_class;
    uint first_group;  // of this draw
    uint task_count;   // of the class (task-hierarchical)
};

// backends/packed.task, backends/packed.mesh
struct PackedConstants {
    uint draw_class;
    uint first_mask;  // of the class
};

// backends/batch.mesh
struct BatchConstants {
    uint draw_class;
    uint first_group;   // of this draw
    uint first_word;    // where the batches of the class start
    uint first_header;  // and their headers
};

// backends/raster.comp, raster_medium.comp and raster_large.comp
struct RasterConstants {
    uvec2 size;            // of the window, in pixels
    uint limit;            // pixels of the bounding box of a triangle that a lane draws by itself, at most
    uint medium_capacity;  // of the list of medium triangles: pieces, of either kind of class
    uint large_capacity;   // of that of large ones: blocks
    uint rest;             // kRest...: what culling has not done is drawn without lists
    uint number_mask;      // of a sublet's number: the bits that a pixel's word has room for
    uint counts_cut;       // numbers count what the frame may draw (backends/raster_numbers.glsl), else the scene
};
SUBLET_CONST uint kRestNot = 0u;    // a round comes after
SUBLET_CONST uint kRestAlso = 1u;   // after the lists
SUBLET_CONST uint kRestAlone = 2u;  // and those have been drawn
SUBLET_CHECK_SIZE(RasterConstants, 32);

// backends/rest.vert
struct RestConstants {
    uint draw_class;
};

// view/peel.comp
struct PeelConstants {
    uvec2 size;  // of the window, in pixels
    uint last;   // 1: of the layers of a draw this is the last
};

// backends/raster_wide_ids.comp
struct RasterWideIdsConstants {
    uvec2 size;        // of the window, in pixels
    uint number_mask;  // RasterConstants', as
    uint counts_cut;
};

SUBLET_CHECK_SIZE(TriangleRegion, 8);

SUBLET_SHARED_END
#endif
