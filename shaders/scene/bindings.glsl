// Set kSceneSet: the scene, and the view that is drawn. What a shader does not use costs it nothing.

#include "shared/bindings.h"
#include "shared/deform.h"
#include "shared/mesh_format.h"
#include "shared/scene.h"

// Of what the decode pass writes: it says `writeonly` before it includes this.
#ifndef DECODED_ACCESS
#define DECODED_ACCESS readonly
#endif

layout(constant_id = kSpecWidePositions) const bool kWidePositions = false;
#undef SUBLET_WIDE_POSITIONS
#define SUBLET_WIDE_POSITIONS kWidePositions

layout(set = kSceneSet, binding = kBindFrame, std140) uniform Frame {
    FrameData frame;
};
layout(set = kSceneSet, binding = kBindMeshes, std430) readonly buffer Meshes {
    MeshHeader meshes[];
};
layout(set = kSceneSet, binding = kBindInstances, std430) readonly buffer Instances {
    Instance instances[];
};
layout(set = kSceneSet, binding = kBindMaterials, std430) readonly buffer Materials {
    Material materials[];
};
layout(set = kSceneSet, binding = kBindUvTransforms, std430) readonly buffer UvTransforms {
    UvTransform uv_transforms[];
};
layout(set = kSceneSet, binding = kBindMaterialLobes, std430) readonly buffer Lobes {
    MaterialLobes lobes[];
};
layout(set = kSceneSet, binding = kBindStreams, std430) readonly buffer Streams {
    StreamHeader streams[];
};
layout(set = kSceneSet, binding = kBindPayload, std430) readonly buffer Payload {
    uint payload[];
};
layout(set = kSceneSet, binding = kBindMeshletBounds, std430) readonly buffer MeshletBounds {
    Bound meshlet_bounds[];
};
layout(set = kSceneSet, binding = kBindSubletBounds, std430) readonly buffer SubletBounds {
    Bound sublet_bounds[];
};
layout(set = kSceneSet, binding = kBindFirstOf, std430) readonly buffer FirstOfInstances {
    FirstOf first_of[];
};
// The same as words, and behind those of all instances the instance that has the first sublet of each block.
layout(set = kSceneSet, binding = kBindFirstOf, std430) readonly buffer FirstOfWords {
    uint first_of_words[];
};

layout(set = kSceneSet, binding = kBindPositions, std430) DECODED_ACCESS buffer Positions {
    uvec2 positions[];
};
layout(set = kSceneSet, binding = kBindAttributes, std430) DECODED_ACCESS buffer Attributes {
    uint attributes[];
};
layout(set = kSceneSet, binding = kBindSubletRecords, std430) DECODED_ACCESS buffer SubletRecords {
    SubletRecord sublet_records[];
};
// Of scenes in the compact coding.
layout(set = kSceneSet, binding = kBindCompactRecords, std430) DECODED_ACCESS buffer CompactRecords {
    CompactRecord compact_records[];
};
// Of each vertex: the first triangle that it leads.
layout(set = kSceneSet, binding = kBindLeads, std430) DECODED_ACCESS buffer Leads {
    uint leads[];
};
layout(set = kSceneSet, binding = kBindMeshletRanges, std430) readonly buffer MeshletRanges {
    MeshletRange meshlet_ranges[];
};

// The number of a sublet of a mesh among those that are there, by MeshletRange: of its bound, unless the mesh deforms,
// of its record, and of its indices.
uint resident_sublet(uint mesh, uint sublet) {
    uint meshlet = meshes[mesh].first_meshlet + sublet / kSubletsPerMeshlet;
    return meshlet_ranges[meshlet].first_sublet + sublet % kSubletsPerMeshlet;
}

// The instance that has the first sublet of a block of sublets over all instances (FrameData::block_shift).
uint instance_of_block(uint block) { return first_of_words[frame.instance_count * kFirstOfWords + block]; }

// Of scenes with levels of detail (cull/cut.glsl): the file's groups, and behind them, from frame.mesh_groups on, one
// for each mesh, whose sphere is around the groups of its meshlets, with a radius less than 0 where it has no levels.
layout(set = kSceneSet, binding = kBindLodGroups, std430) readonly buffer LodGroups {
    LodGroup lod_groups[];
};
layout(set = kSceneSet, binding = kBindCutPlaces, std430) readonly buffer CutPlaces {
    CutPlace cut_places[];
};

// Of scenes with instances that deform (shared/deform.h). What the decode pass wrote is the bind pose of their meshes.
layout(set = kSceneSet, binding = kBindDeformation, std430) readonly buffer Deformation {
    uvec4 deformation[];
};
layout(constant_id = kSpecDeforms) const uint kDeforms = 0u;

// Whether an animation or a person hides an instance with these flags, or this view leaves it out.
bool flags_hide(uint flags) {
    bool passes_light = (flags & kInstanceClassMask) == kClassTransmissive;
    return (flags & (kInstanceInvisible | kInstanceHidden)) != 0u ||
           (passes_light && (frame.cull_flags & kCullLightPasses) != 0u);
}
bool instance_invisible(uint instance) { return flags_hide(instances[instance].flags); }

// The draw class of a column of workgroups: SurvivorCounts::triangle_groups.
uint class_of_column(uint column) {
    return frame.class_columns >> (4u * column) & 15u;
}
