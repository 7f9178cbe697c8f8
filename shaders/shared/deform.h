// Deformation: the arithmetic of a vertex that joints move, which the evaluator on the CPU and all shaders share, and
// what shaders know of an instance that deforms. Nothing is fused, so that all get the same bits.
#ifndef SUBLET_SHARED_DEFORM_H
#define SUBLET_SHARED_DEFORM_H

#include "animation.h"
#include "mesh_format.h"
#include "types.h"

SUBLET_SHARED_BEGIN

// Weights of joints are stored in such parts of one, each kWeightPart.
SUBLET_CONST uint kWeightParts = 4095u;
SUBLET_CONST float kWeightPart = 0.000244200244f;

// Rows of the affine matrix that takes a vertex from its mesh's bind pose to the world: a joint's world transform times
// its inverse bind matrix, or a blend of such matrices.
struct SkinMatrix {
    vec4 rows[3];
};

// A mesh of the file in a pose. It has a mesh header of its own, a copy of the file's, whose sphere and box are those
// of the pose; `reserved` there is its number here, plus one. Instances in the same pose share it.
//
// Sublets have vertices of their own: some of them are the same vertex, and stay so in any pose. Such are deformed
// once.
//
// All of deformation lies in one list of vectors, from its start:
// - these records, kDeformedMeshVectors each,
// - the masks of morph targets (MorphMask), two a vector,
// - for each mesh of the file that deforms: a vector whose x is its number of boxes, and these (JointBox); for each
//   morph target the most by which it moves a vertex along each axis; the numbers that its vertices have among its
//   distinct ones, four a vector, and where those are (DistinctVertex), two a vector,
// - the pose: the matrices of joints, kSkinMatrixVectors each, and weights; room for the pose of the last frame,
// - distinct vertices, one each.
struct DeformedMesh {
    uint mesh;              // its own header
    uint source;            // the file's
    uint first_sublet;      // of its own bounds of this pose, in the list of bounds,
    uint first_meshlet;     // and of those of its meshlets
    uint first_vertex;      // distinct, in that list; kNotCached
    uint joint_count;       // of its skin; 0: no joints move it
    uint first_matrix;      // of its skin's, in the order of its joints; in that list
    uint first_weight;      // of morph targets, in that list: see MorphWeights
    uint morphs;            // kMorph... that they move; 0: none does
    uint first_mask;        // of its first sublet, counted in masks of that list
    uint mask_words;        // masks of a sublet
    uint morph_payload;     // where words of its targets' streams begin, in the payload
    uint morph_exponents;   // a byte for each attribute, signed
    uint first_box;         // of its joints, in that list, with the vector before,
    uint first_number;      // and of its vertices
    uint morph_place_bits;  // MorphMesh::place_bits
};
SUBLET_CONST uint kDeformedMeshVectors = 4u;
SUBLET_CONST uint kSkinMatrixVectors = 3u;
// Its vertices have no room: they are deformed wherever they are used.
SUBLET_CONST uint kNotCached = 0xffffffffu;

// The weights of a node's morph targets in a pose: a vector whose x is how many are not 0, then these, ascending, two a
// vector: target and weight each. A lane of scene/animate_weights.comp finds them.
struct MorphWeights {
    uint target_count;
    uint channel;        // which drives them, or kNoChannel
    uint first_default;  // else where they are in the list of floats
    uint first_vector;   // behind the first of the copy's
};
SUBLET_CONST uint kNoChannel = 0xffffffffu;

// The first of the vertices of a mesh that are the same.
struct DistinctVertex {
    uint vertex;  // of the mesh
    uint place;   // its sublet there, times kSubletSize, plus its number in that; in a mesh with morph targets, where
                  // what they add is stored (SubletMorphs::place())
};

// Around all vertices of a mesh that a joint moves, in the bind pose; around all, with joint 0, where joints move none.
struct JointBox {
    float center[3];
    uint joint;
    float half_size[3];
    uint reserved;
};
SUBLET_CONST uint kJointBoxVectors = 2u;
// That a workgroup of scene/deform_boxes.comp deals with.
SUBLET_CONST uint kPosesOfBoxGroup = 8u;

// A workgroup's work: some poses of a mesh, and a range of its distinct vertices or of its meshlets.
struct DeformTask {
    uint first_pose;  // DeformedMesh
    uint poses;
    uint begin;
    uint count;
};
// At most, of vertices and of meshlets.
SUBLET_CONST uint kPosesOfTask = 8u;
SUBLET_CONST uint kVerticesOfTask = 128u;
SUBLET_CONST uint kMeshletsOfTask = 2u;

// What of the scene deforms, as bits: kSpecDeforms. Shaders know nothing of what it has not.
SUBLET_CONST uint kDeformsSome = 1u;            // some mesh,
SUBLET_CONST uint kDeformsJoints = 2u;          // by joints,
SUBLET_CONST uint kDeformsEight = 4u;           // by up to eight a vertex, else by up to four,
SUBLET_CONST uint kDeformsMorphs = 8u;          // by morph targets
SUBLET_CONST uint kDeformsUncached = 16u;       // without room for its vertices
SUBLET_CONST uint kDeformsCompactMorphs = 32u;  // by morph targets in the compact coding

// Push constants of the shaders scene/deform....comp.
//
// What a view may see is deformed for it, once for a pose. So each time that the pass runs is a round, and of each mesh
// in a pose it is known in which round it was deformed since things last moved; 0: in none.
struct DeformConstants {
    uint count;  // tasks, meshes or instances
    uint round;  // 1 or more
    uint all;    // scene/deform_wanted.comp: not only what the view may see
};

SUBLET_CHECK_SIZE(SkinMatrix, 48);
SUBLET_CHECK_SIZE(DeformedMesh, 64);
SUBLET_CHECK_SIZE(MorphWeights, 16);
SUBLET_CHECK_SIZE(DistinctVertex, 8);
SUBLET_CHECK_SIZE(JointBox, 32);
SUBLET_CHECK_SIZE(DeformTask, 16);

// Adds what a morph target of that weight adds; targets in the order of their numbers.
SUBLET_FUNCTION vec4 add_morph(vec4 sum, vec4 delta, float weight) {
    SUBLET_PRECISE vec4 r;
    r.x = sum.x + weight * delta.x;
    r.y = sum.y + weight * delta.y;
    r.z = sum.z + weight * delta.z;
    r.w = sum.w;
    return r;
}

SUBLET_FUNCTION vec4 blend_row(vec4 sum, vec4 first, vec4 other, float weight) {
    SUBLET_PRECISE vec4 r;
    r.x = sum.x + weight * (other.x - first.x);
    r.y = sum.y + weight * (other.y - first.y);
    r.z = sum.z + weight * (other.z - first.z);
    r.w = sum.w + weight * (other.w - first.w);
    return r;
}

// `parts`: a joint's weight, of kWeightParts.
SUBLET_FUNCTION float joint_weight(uint parts) {
    SUBLET_PRECISE float weight = float(parts) * kWeightPart;
    return weight;
}

// Adds a joint to a blend that began as the first joint's matrix: by differences, so that joints that agree move a
// vertex as one of them does, to the bit, and the first joint's weight is what the others leave.
SUBLET_FUNCTION SkinMatrix blend_joint(SkinMatrix sum, SkinMatrix first, SkinMatrix other, uint parts) {
    float weight = joint_weight(parts);
    SUBLET_PRECISE SkinMatrix m;
    m.rows[0] = blend_row(sum.rows[0], first.rows[0], other.rows[0], weight);
    m.rows[1] = blend_row(sum.rows[1], first.rows[1], other.rows[1], weight);
    m.rows[2] = blend_row(sum.rows[2], first.rows[2], other.rows[2], weight);
    return m;
}

SUBLET_FUNCTION float row_times(vec4 row, vec4 v) {
    SUBLET_PRECISE float r = row.x * v.x + row.y * v.y + row.z * v.z + row.w * v.w;
    return r;
}

// A point (w 1) or a direction (w 0).
SUBLET_FUNCTION vec4 skin_vector(SkinMatrix m, vec4 v) {
    SUBLET_PRECISE vec4 r;
    r.x = row_times(m.rows[0], v);
    r.y = row_times(m.rows[1], v);
    r.z = row_times(m.rows[2], v);
    r.w = v.w;
    return r;
}

// Of two rows: one of the cofactor matrix.
SUBLET_FUNCTION vec4 cofactor_row(vec4 a, vec4 b) {
    SUBLET_PRECISE vec4 r;
    r.x = a.y * b.z - a.z * b.y;
    r.y = a.z * b.x - a.x * b.z;
    r.z = a.x * b.y - a.y * b.x;
    r.w = 0.0f;
    return r;
}

// A normal (w 0), of any length: by the cofactor matrix, which is finite where there is no inverse.
SUBLET_FUNCTION vec4 skin_normal(SkinMatrix m, vec4 n) {
    SUBLET_PRECISE SkinMatrix c;
    c.rows[0] = cofactor_row(m.rows[1], m.rows[2]);
    c.rows[1] = cofactor_row(m.rows[2], m.rows[0]);
    c.rows[2] = cofactor_row(m.rows[0], m.rows[1]);
    return skin_vector(c, n);
}

SUBLET_SHARED_END
#endif
