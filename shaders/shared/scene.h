// The structs of the GPU copy of a scene and of one frame, shared by C++ and GLSL.
#ifndef SUBLET_SHARED_SCENE_H
#define SUBLET_SHARED_SCENE_H

#include "counters.h"
#include "mesh_format.h"
#include "types.h"

SUBLET_SHARED_BEGIN

// Draw classes differ in rasteriser state; survivors go to one list for each.
SUBLET_CONST uint kClassCounterClockwise = 0u;
SUBLET_CONST uint kClassClockwise = 1u;  // mirrored instances: a negative determinant turns the winding over
SUBLET_CONST uint kClassDoubleSided = 2u;
// Those from here on are tested for alpha (shade/alpha_test.glsl), whichever their sides (scene/winding.glsl).
SUBLET_CONST uint kClassMasked = 3u;
SUBLET_CONST uint kClassBlended = 4u;       // drawn once all others are, to layers of their own (shade/blend.glsl)
SUBLET_CONST uint kClassTransmissive = 5u;  // drawn to targets of their own, in front of the others' picture
SUBLET_CONST uint kDrawClasses = 6u;

// The phase of a frame that culls and draws (cull/phase.glsl).
SUBLET_CONST uint kPhases = 4u;
struct PhaseData {
    uint number;   // cull/chain.glsl
    uint classes;  // draw classes that take part, a bit each
    uint reserved0, reserved1;
};

// Instance::flags
SUBLET_CONST uint kInstanceClassMask = 7u;
SUBLET_CONST uint kInstanceConeTest = 8u;  // single-sided, and the transform keeps angles and winding: cones stay valid
SUBLET_CONST uint kInstanceMirrored = 16u;  // negative determinant
SUBLET_CONST uint kInstanceSimilarity =
    32u;  // the transform rotates, scales evenly and perhaps mirrors: it keeps angles
SUBLET_CONST uint kInstanceDoubleSided = 64u;
SUBLET_CONST uint kInstanceInvisible = 128u;  // its node is, or one above that (KHR_node_visibility): nothing draws it
SUBLET_CONST uint kInstanceHidden = 256u;     // a person has hidden it (--hide, --isolate): nothing draws it either

// The rest of the flags is the number of its material.
SUBLET_CONST uint kInstanceMaterialShift = 9u;

// Up to so many sublets over all instances, an id (shaders/view/visibility_id.glsl) is one word.
SUBLET_CONST uint kNarrowIdSublets = 134217728u;  // 2^27: of 32 triangles each

// Both words of a wide id where no triangle was found for a pixel. None is there: tests look for it.
SUBLET_CONST uint kNoTriangle = 0xffffffffu;

// A mesh placed in the world.
struct Instance {
    vec4 transform[3];  // rows of the affine object-to-world matrix
    uint mesh;
    uint first_sublet;  // counted over all instances
    uint flags;
    float scale;  // spectral norm of the linear part, rounded up: a radius grows by no more
};

SUBLET_CONST uint kNoTexture = 0xffffffffu;

// A texture as a material reads it.
struct TextureSlot {
    uint texture;  // or kNoTexture
    uint place;    // kPlace..., and the number of its UvTransform
};
SUBLET_CONST uint kPlaceSecondSet = 1u;  // of texture coordinates
SUBLET_CONST uint kPlaceIsotropic = 2u;  // its sampler has no anisotropy
SUBLET_CONST uint kPlaceTransformShift = 2u;
// A texture's own coordinates: rows (a, b, translation). Number 0 leaves them as they are.
struct UvTransform {
    vec4 rows[2];
};

// Material::flags
SUBLET_CONST uint kMaterialDoubleSided = 1u;
SUBLET_CONST uint kMaterialUnlit = 2u;

struct Material {
    vec4 base_color;  // linear
    vec4 emissive;    // rgb, linear; w: alpha cutoff
    float metallic;
    float roughness;
    float normal_scale;
    float occlusion_strength;
    TextureSlot base_color_texture;
    TextureSlot metallic_roughness_texture;
    TextureSlot normal_texture;
    TextureSlot occlusion_texture;
    TextureSlot emissive_texture;
    uint flags;
    uint lobes;  // its number among MaterialLobes; kNoLobes
};

// What extensions add to a material that uses them.
SUBLET_CONST uint kNoLobes = 0xffffffffu;
struct MaterialLobes {
    vec4 specular;      // rgb: what a dielectric's reflectance is multiplied by; w: and all of its reflection
    vec4 sheen;         // rgb: colour, linear; w: roughness
    float reflectance;  // of a dielectric, straight on: by its index of refraction
    float clearcoat;
    float clearcoat_roughness;
    float clearcoat_normal_scale;
    TextureSlot specular_texture;
    TextureSlot specular_color_texture;
    TextureSlot clearcoat_texture;
    TextureSlot clearcoat_roughness_texture;
    TextureSlot clearcoat_normal_texture;
    TextureSlot sheen_color_texture;
    TextureSlot sheen_roughness_texture;
    vec2 anisotropy_direction;  // the cosine and sine of its angle, counter-clockwise from the tangent
    float anisotropy;           // strength
    float iridescence;
    float film_ior;
    float film_thickness_minimum;  // nanometres
    float film_thickness_maximum;
    TextureSlot anisotropy_texture;
    TextureSlot iridescence_texture;
    TextureSlot film_thickness_texture;
    float transmission;  // the share of what enters that goes through
    vec4 absorption;     // rgb: of light, a unit of length within; w: how far ior spreads from red to blue
    float ior;           // index of refraction
    float thickness;     // of what lies below the surface, in the mesh's units
    TextureSlot transmission_texture;
    TextureSlot thickness_texture;
    uvec2 reserved;
};

// A camera, or another view that culls.
struct ViewData {
    vec4 clip[4];    // rows of the world-to-clip matrix: reversed Z, infinite far plane
    vec4 planes[5];  // left, right, bottom, top, near: inside where dot(xyz, p) + w >= 0
    vec4 eye;        // xyz; w: 1 for an orthographic view, else 0
    vec4 forward;    // xyz, unit length; w: |eye.x| + |eye.y| + |eye.z|
};

// Where a draw class lies in lists.
struct ClassRegion {
    uint first_slot;  // in the list of what survives culling: meshlets, runs of their sublets, or sublets
    uint slots;       // that it has there
    uint first_task;  // tasks are numbered class by class
    uint reserved;
};

// What every pass of a frame reads.
struct FrameData {
    ViewData view;       // draws
    ViewData cull;       // culls: `view`, unless culling is frozen
    vec4 sun_direction;  // towards the sun, unit length; w: cosine of the angle from its centre to its edge
    vec4 sun_color;      // linear: irradiance of a surface that faces it; w: radiance of its disc over that
    vec4 environment;    // x, y: cosine and sine of its turn; z: the roughness that what is seen of it is blurred by
    // Where a pixel looks: rays[0] * x + rays[1] * y + rays[2] at (x, y) in normalised device coordinates, y down.
    vec4 rays[3];
    // From where levels of detail are chosen (cut_scale): xyz; w: 1 for an orthographic view, else 0. The eye of the
    // view that culls; of a shadow's view, that of the camera it is for.
    vec4 cut_eye;
    // Where it lies, at a distance of 1 along the line of sight, or, in an orthographic view, at any: so many times
    // these from that line, at (x - w of the first, y - w of the second). To the right, and down.
    vec4 across[2];
    ClassRegion classes[kDrawClasses];
    vec4 viewport;   // window = ndc * xy + zw, in subpixels (cull/primitive_cull.glsl)
    uint subpixels;  // per pixel
    float subpixel_margin;
    uint instance_count;
    uint cull_flags;
    uint sublet_count;  // over all instances, as far as 32 bits hold it
    uint block_shift;   // of them, those of a block: scene/seen_triangle.glsl
    // The draw classes that the scene has, 4 bits each: a column of workgroups for each (SurvivorCounts).
    uint class_columns;
    // Tables of bits of what was visible have powers of two of words: one less, for those of tasks, and of sublets'
    // triangles. And how far apart those of instances start (cull/bit_words.glsl).
    uint task_mask;
    uint sublet_mask;
    uint task_stride;
    uint sublet_stride;
    float cut_scale;   // levels of detail are chosen by (cull/cut.glsl); 0: the finest are drawn
    uint mesh_groups;  // among lod_groups, the first mesh's
    uint task_count;   // over all instances
    float cut_slack;   // units by which the eye may be elsewhere than at cut_eye
    float cut_least;   // units: nothing counts as nearer to it than that
    uvec4 stream;      // x: the number of the frame, of a scene whose geometry comes as it is seen
};

// FrameData::cull_flags
SUBLET_CONST uint kCullInstances = 1u;
SUBLET_CONST uint kCullFrustum = 2u;
SUBLET_CONST uint kCullCone = 4u;
SUBLET_CONST uint kCullSublets = 8u;
SUBLET_CONST uint kCullPrimitives = 16u;
SUBLET_CONST uint kCullLightPasses = 32u;  // what lets light through is not drawn: transmissive surfaces

// Where a meshlet lies in VRAM: its vertices among those that are decoded; its sublets, one after the other, among
// bounds, records and, with room for kSubletSize triangles each, indices. Everywhere else the numbers of meshlets,
// sublets and triangles are the file's, whether all of the file is there or not.
struct MeshletRange {
    uint first_vertex;
    uint triangle_count;
    uint first_sublet;  // kAbsent: the meshlet is not there, as all of its group of meshlets
    uint chunk_vertex;  // the vertex that indices of 32 bits count from: the first one of its direct chunk
};
SUBLET_CONST uint kAbsent = 0xffffffffu;

// A sublet, as the decode pass leaves it.
struct SubletRecord {
    uint first_vertex;  // within its mesh
    uint counts;        // bits 0-7: triangles; 8-15: vertices; within its meshlet 16-23 its first vertex, and 24-31 its
                        // first triangle
    uint triangles[kSubletSize / 2u];  // two a word, 16 bits each: vertices of the sublet, of 5 bits
};

// What the decode pass leaves of a sublet in the compact coding: which vertices it stores, where others are, and its
// CompactStream of positions. Offsets are bits of the block. scene/compact_records.glsl packs it:
// place: CompactOwn::mask; CompactStream::stored; bits 0-17 CompactOwn::shared_at, 18-21 shared_bits, 22-23 mode, 24-25
// axis; bits 0-17 values_at, 18-23 stride.
// bases: of three components, bits 0-21 base + 2^20, 22-26 width, 27-31 palette_width; and the payload's word where
// the block begins.
// palettes: of three components, bits 0-17 palette_at; bits 18-31 of the first and 18-21 of the second, copies_at; and
// the slopes of the axis.
struct CompactRecord {
    uvec4 place;
    uvec4 bases;
    uvec4 palettes;
};

// What the decode pass leaves of a vertex in the upper half of its position's second word, for fragments that find
// their triangle by its corners: its number in the sublet, and of the triangles that it leads (whose first corner it
// is), the second corner of the first one, and how many triangles later the other one comes.
SUBLET_CONST uint kLeadShift = 16u;
SUBLET_CONST uint kLeadVertexMask = 31u;
SUBLET_CONST uint kLeadSecondShift = 5u;
SUBLET_CONST uint kLeadLaterShift = 10u;
SUBLET_CONST uint kLeadLaterMask = 31u;  // 0: it leads no other; kLeadSearch: that does not tell them apart
SUBLET_CONST uint kLeadSearch = 31u;

// A task is up to 32 meshlets of one instance, one after another. They are numbered over all instances, class by class.
SUBLET_CONST uint kTaskMeshlets = 32u;
struct TaskSource {
    uint instance;
    uint first_task;
};

// A place of a meshlet (cull/cut.glsl), in meshes with levels of detail: which one has it, the groups that contain it
// and that it was simplified from, the error of the former, and the least error of the latter up to this place.
struct CutPlace {
    uint meshlet;
    uint group;
    uint simplified_from;
    float error;
    float least_error;
    uint place_of;       // the way back: the place of the mesh's meshlet of this number
    uint least_meshlet;  // of the meshlets from this place on
    uint most_meshlet;   // of those up to it
};

// What a 64-bit word of the compute rasteriser keeps beside the depth: the number of a triangle in its sublet, and the
// last bits of the sublet's number; and how many of these words without 64-bit atomics keep.
SUBLET_CONST uint kPixelIdBits = 34u;
SUBLET_CONST uint kLayerBlock = 64u;  // pixels whose layers lie together: view/layer_places.glsl
SUBLET_CONST uint kPixelNumberBits = 29u;
SUBLET_CONST uint kPixelNumberBitsOfWords = 27u;

// Of an instance: the numbers of its first task, and of its first sublet over all instances, in two words.
struct FirstOf {
    uint task;
    uint sublet;
    uint sublet_high;
};
SUBLET_CONST uint kFirstOfWords = 3u;

// Direct draws address vertices relative to a chunk of this many meshlets, so that no index reaches 2^24.
SUBLET_CONST uint kDirectChunkMeshlets = 32768u;

// The primitive pass makes room for the survivors of this many sublets at a time; at most so many workgroups stride
// over all.
SUBLET_CONST uint kPrimitiveGroupSublets = 8u;
SUBLET_CONST uint kPrimitiveGroups = 16384u;

// Mesh draws are 2-D: rows of kMeshDrawRow workgroups, kMeshDrawRows rows. Both the 65,535 groups per dimension and the
// 2^22 groups per draw that every device allows hold.
SUBLET_CONST uint kMeshDrawRow = 32768u;
SUBLET_CONST uint kMeshDrawRows = 128u;
SUBLET_CONST uint kMeshDrawGroups = 4194304u;  // row * rows
SUBLET_CONST uint kMeshDraws = 16u;
// Workgroups that the indirect mesh draws of one class, all of them together, can launch: for at least one surviving
// sublet each, or, of task shaders, for a task each.
SUBLET_CONST uint kMostMeshGroups = 67108864u;  // draws * groups

// Indirect commands, as Vulkan lays them out.
struct DispatchCommand {  // and VkDrawMeshTasksIndirectCommandEXT
    uint x, y, z;
};
struct DrawCommand {
    uint vertices, instances, first_vertex, first_instance;
};
struct DrawIndexedCommand {
    uint indices, instances, first_index, vertex_offset, first_instance;
};

// How much of one draw class survives a round of culling.
struct ClassSurvivors {
    DrawCommand draw;  // its instances: slots of the class's region in use; its vertices: of a meshlet
    uint claimed;      // slots, those that the region does not have too
};
struct SurvivorCounts {
    ClassSurvivors classes[kDrawClasses];
    DispatchCommand triangle_groups;  // workgroups of the pass over triangles: columns by FrameData::class_columns
};

// What a round of drawing draws of one class.
struct ClassDraws {
    uint batches;                // of triangles (cull/primitives.comp)
    DrawIndexedCommand compact;  // of surviving triangles
    uint mesh_draw_count;        // commands in mesh_draws
    DispatchCommand mesh_draws[kMeshDraws];
};
// What the compute rasteriser leaves to workgroups (backends/raster.comp).
SUBLET_CONST uint kRasterBatch = 32u;     // pieces of medium triangles that a workgroup takes at a time
SUBLET_CONST uint kRasterGroups = 4096u;  // that stride over all, at most
struct RasterDraws {
    DispatchCommand medium_groups[2];  // of raster_medium.comp; the second for classes that are tested for alpha
    DispatchCommand groups;            // of raster_large.comp
    uint medium[2];                    // pieces of medium triangles, those that had no room too
    uint triangles;                    // blocks of large triangles, likewise
    uint sublets;
};
struct RoundDraws {
    ClassDraws classes[kDrawClasses];
    RasterDraws raster;
};
// What a round of culling leaves to the next one, since its list is full: workgroups of the meshlet pass that were not
// done with all of their items (cull/rounds.glsl).
struct UndoneWork {
    DispatchCommand groups;  // of the next round's, in rows of kDispatchRow
    uint count;              // of them, those that the list had no room for too; kLost
    uint stride;             // workgroups of the first round
    DrawCommand tasks;       // where no round comes after: all of the scene's, an instance each (backends/rest.vert)
};
// What a round's queue of meshlets has (graph.h): workgroups of the pass over their sublets, in rows of kDispatchRow.
struct QueuedWork {
    DispatchCommand groups;
    uint count;  // of meshlets
};
// Some of an earlier round had no room in the list.
SUBLET_CONST uint kLost = 0x80000000u;
struct UndoneGroup {
    uint number;    // of the workgroup in the first round; kUntested
    uint items[4];  // a bit for each that is to be done
};
// None of the workgroup's items was tested yet.
SUBLET_CONST uint kUntested = 0x80000000u;

// What a round of culling and drawing produces beside its lists. Reset at the start of each frame; its commands are
// read where they lie.
struct CullState {
    SurvivorCounts survivors;
    RoundDraws draws;
    UndoneWork undone;
    QueuedWork queued;
    uint counters[kCounters * 2u];
    uint reserved[31];  // rounds lie one after another, where a device can bind each
};
// Rounds that a phase of a frame has at most: what they leave is drawn without lists.
SUBLET_CONST uint kMostRounds = 64u;

// Workgroups of the meshlet pass are laid out in rows of this many: within every device's limit per dimension.
SUBLET_CONST uint kDispatchRow = 32768u;

SUBLET_CHECK_SIZE(Instance, 64);
SUBLET_CHECK_SIZE(Material, 96);
SUBLET_CHECK_SIZE(UvTransform, 32);
SUBLET_CHECK_SIZE(MaterialLobes, 208);
SUBLET_CHECK_SIZE(ViewData, 176);
SUBLET_CHECK_SIZE(ClassRegion, 16);
SUBLET_CHECK_SIZE(FrameData, 2 * 176 + 16 * 16 + 80);
SUBLET_CHECK_SIZE(MeshletRange, 16);
SUBLET_CHECK_SIZE(SubletRecord, 72);
SUBLET_CHECK_SIZE(CompactRecord, 48);
SUBLET_CHECK_SIZE(TaskSource, 8);
SUBLET_CHECK_SIZE(FirstOf, 12);
SUBLET_CHECK_SIZE(SurvivorCounts, 6 * 20 + 12);
SUBLET_CHECK_SIZE(RoundDraws, 6 * (28 + 16 * 12) + 52);
SUBLET_CHECK_SIZE(UndoneWork, 36);
SUBLET_CHECK_SIZE(UndoneGroup, 20);
SUBLET_CHECK_SIZE(CullState, 2048);

SUBLET_SHARED_END
#endif
