// Push constants of the passes that decode, cull and draw.
#ifndef SUBLET_SHARED_PASSES_H
#define SUBLET_SHARED_PASSES_H

#include "scene.h"

SUBLET_SHARED_BEGIN

// scene/decode.comp
struct DecodeConstants {
    uint mesh_count;
    uint sublet_count;
    uint index_bits;      // 8 or 16: relative to the meshlet, in a zeroed buffer; 32: to the direct chunk; 0: none
    uint write_vertices;  // positions, attributes and meshlet ranges too
    uint write_leads;     // and the triangles that vertices lead, and kLead... in positions
};

// cull/instances.comp by the task list. A scene whose survivors may be more than their list holds is culled in rounds,
// each over a range of the tasks of each draw class.
struct TaskRange {
    uint first;
    uint count;
};
struct CullInstancesConstants {
    TaskRange classes[kDrawClasses];
};

// cull/primitives.comp: what a round takes of each draw class, and where it goes.
struct TriangleRegion {
    uint first_slot;    // of the round, in the class's list of surviving sublets
    uint slots;         // how many it takes; 0: the class has none in this round
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

// backends/compact.vert, and id.frag behind it
struct CompactConstants {
    uint first_slot;      // of the round, in the list of its class, plus the class's first
    uint first_index;     // of the round's indices, in the output of the pass over triangles
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
    uint first_slot;  // of the round, in the class's list of surviving sublets
    uint slots;       // that the round takes
    uint first_mask;  // of the class and round
};

// backends/batch.mesh
struct BatchConstants {
    uint draw_class;
    uint first_group;   // of this draw
    uint first_slot;    // of the round, in the list of surviving sublets
    uint first_word;    // where the batches of the class start
    uint first_header;  // and their headers
};

// backends/raster.comp and raster_large.comp
struct RasterConstants {
    uvec2 size;     // of the window, in pixels
    uint limit;     // pixels of the bounding box of a triangle that a lane draws by itself, at most
    uint capacity;  // of the list of large triangles
};

SUBLET_CHECK_SIZE(TriangleRegion, 16);

SUBLET_SHARED_END
#endif
