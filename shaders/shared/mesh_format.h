// The structs of the encoded mesh format that the GPU reads exactly as they lie in the file. docs/FORMAT.md describes
// them to the byte. All little-endian.
#ifndef SUBLET_SHARED_MESH_FORMAT_H
#define SUBLET_SHARED_MESH_FORMAT_H

#include "types.h"

SUBLET_SHARED_BEGIN

// A sublet holds at most this many triangles and this many vertices; a meshlet at most this many sublets.
SUBLET_CONST uint kSubletSize = 32u;
SUBLET_CONST uint kSubletsPerMeshlet = 8u;
SUBLET_CONST uint kMeshletSize = 256u;

// Mesh styles: which streams a mesh may carry. A style may carry what those before it may.
SUBLET_CONST uint kStyleWireframe = 0u;  // positions alone
SUBLET_CONST uint kStyleTextured = 1u;   // + normal, tangent, UVs, colour
SUBLET_CONST uint kStyleSkinned = 2u;    // + joints and weights
// On the GPU, from this bit of MeshHeader::style on: 1 + the record of a mesh that deforms.
SUBLET_CONST uint kDeformedRecordShift = 2u;

// THE table of streams: X(constant, type, name, first style that may carry it, components, bits of one, signed).
//
// Types number the order in which a sublet's stream headers lie. Absent ones take no room: the header of type t is
// number bitCount(streams_present & ((1 << t) - 1)) of its sublet. Each type from kStreamNormalTangent on decodes to
// attribute words of 32 bits per vertex, in this order: its components side by side, the first in the lowest bits. A
// new type goes last, so that older files keep their meaning.
//
// primitives: sublet-local vertex indices of a triangle. position: on the mesh's grid. normal_tangent: octahedral
// normal, then octahedral tangent, which may be missing (kHasTangentBit). uv, uv1: on the mesh's UV grid. color: linear
// RGBA. Bytes without a sign are fractions of 255.
//
// A mesh with joint_weights holds its bind pose, which joints deform: up to four influences a vertex, or up to eight,
// strongest first. bone_indices and joint_indices1 are the joints' numbers in the skin; the weights of all but the
// first are stored, in parts of kWeightParts (deform.h), and the first has what they leave. A mesh with bone_weights,
// of older files, is posed in the world already.
#define SUBLET_STREAMS(X)                                                      \
    X(kStreamPrimitive, 0u, primitives, kStyleWireframe, 3u, 5u, false)        \
    X(kStreamPosition, 1u, position, kStyleWireframe, 3u, 16u, true)           \
    X(kStreamNormalTangent, 2u, normal_tangent, kStyleTextured, 4u, 8u, true)  \
    X(kStreamUv, 3u, uv, kStyleTextured, 2u, 16u, true)                        \
    X(kStreamBoneWeights, 4u, bone_weights, kStyleSkinned, 4u, 8u, false)      \
    X(kStreamColor, 5u, color, kStyleTextured, 4u, 8u, false)                  \
    X(kStreamUv1, 6u, uv1, kStyleTextured, 2u, 16u, true)                      \
    X(kStreamBoneIndices, 7u, bone_indices, kStyleSkinned, 4u, 16u, false)     \
    X(kStreamJointWeights, 8u, joint_weights, kStyleSkinned, 3u, 16u, false)   \
    X(kStreamJointIndices1, 9u, joint_indices1, kStyleSkinned, 4u, 16u, false) \
    X(kStreamJointWeights1, 10u, joint_weights1, kStyleSkinned, 4u, 16u, false)

#define SUBLET_CONSTANT(constant, type, name, style, components, bits, is_signed) SUBLET_CONST uint constant = type;
SUBLET_STREAMS(SUBLET_CONSTANT)
#undef SUBLET_CONSTANT
// How many types there are.
#define SUBLET_ONE(constant, type, name, style, components, bits, is_signed) +1u  // NOLINT: a term of a sum
SUBLET_CONST uint kStreamTypes = 0u SUBLET_STREAMS(SUBLET_ONE);
#undef SUBLET_ONE
// Sets of types, as bits: those with components of 8 bits, and those that decode to two words.
#define SUBLET_BYTES(constant, type, name, style, components, bits, is_signed) | ((bits) == 8u ? 1u << (type) : 0u)
SUBLET_CONST uint kByteStreams = 0u SUBLET_STREAMS(SUBLET_BYTES);
#undef SUBLET_BYTES
#define SUBLET_TWO(constant, type, name, style, components, bits, is_signed) \
    | ((components) * (bits) > 32u ? 1u << (type) : 0u)
SUBLET_CONST uint kTwoWordStreams = 0u SUBLET_STREAMS(SUBLET_TWO);
#undef SUBLET_TWO
// Further bits of MeshHeader::streams_present.
SUBLET_CONST uint kHasTangentBit = 1u << 16u;  // kStreamNormalTangent has 4 components, else 2
SUBLET_CONST uint kHasMorphsBit = 1u << 17u;   // the mesh has a MorphMesh
SUBLET_CONST uint kCompactBit = 1u << 18u;     // its payload is in the compact coding: it has no stream headers

// Positions of more than kNarrowPositionBits a component, which meshes in the compact coding may have: bits 0-15 of a
// component lie where those of other positions do, and bits 16-20 of all three in 15 bits elsewhere. Shaders know
// nothing of these where SUBLET_WIDE_POSITIONS is false. It may be true, or a specialisation constant: then a position
// as two words has high_position_bits() in the upper half of the second, whatever bits its mesh has.
#ifndef SUBLET_WIDE_POSITIONS
#ifdef __cplusplus
#define SUBLET_WIDE_POSITIONS true
#else
#define SUBLET_WIDE_POSITIONS false
#endif
#endif
SUBLET_CONST uint kNarrowPositionBits = 16u;
SUBLET_CONST uint kHighPositionBits = 5u;
SUBLET_CONST uint kHighPositionMask = 31u;

// Bits 16-20 of each component.
SUBLET_FUNCTION uint high_position_bits(int x, int y, int z) {
    return (uint(x >> 16) & kHighPositionMask) | (uint(y >> 16) & kHighPositionMask) << kHighPositionBits |
           (uint(z >> 16) & kHighPositionMask) << (2u * kHighPositionBits);
}

// A component of its bits 0-15, and of `high`, whose first ones are its bits 16-20; further bits of both don't count.
SUBLET_FUNCTION int position_component(uint low, uint high) {
    return int((low & 0xffffu) | (high & kHighPositionMask) << 16u) << 11 >> 11;
}

// The sign of a tangent (glTF's w; 1 means +1) is the lowest bit of component 3 of its decoded attribute word, whose
// upper 7 bits are the tangent's second octahedral coordinate, max((c >> 1) / 63, -1); the others are max(c / 127, -1).
// A sublet whose signs are all equal leaves that bit out: its component 3 is stored shifted right by one
// (arithmetically) and decodes as (value << 1) | sign. StreamHeader::bits of kStreamNormalTangent says which:
SUBLET_CONST uint kTangentSignNegative = 0u;  // left out: 0 for all
SUBLET_CONST uint kTangentSignPositive = 1u;  // left out: 1 for all
SUBLET_CONST uint kTangentSignInLowBit = 2u;  // stored

// One stream of one sublet: up to 32 values, bit-packed.
//
// Every stream but kStreamPrimitive: component i of value v is (base_i + delta) mod 2^16, sign-extended where the type
// is signed; base_i is 16 bits of base_value (low half of word 0, high half of word 0, low half of word 1, ...), delta
// is width_i bits (0 to 16; bits 5i .. 5i+4 of `bits`) at bit v * T + (width_0 + .. + width_{i-1}), T the sum of the
// widths. T is such that a value never touches more than two words: T + 32 - gcd(T, 32) <= 64 (the encoder widens a
// component until it is so). Bits 20-21 of `bits`: the tangent sign (kStreamNormalTangent only). T = 0 stores no
// payload.
//
// kStreamPrimitive: base_value[0] and [1] are the first vertex and the first triangle of the sublet within its mesh as
// it decodes; bits 0-7 of `bits` the triangle count (1 to 32), 8-15 the vertex count (1 to 32), 16-23 the first vertex
// of the sublet within its meshlet (0 to 224), 24-31 the first triangle within its meshlet (0 to 224). 15 bits per
// triangle.
struct StreamHeader {
    uint base_value[2];
    uint bits;
    uint offset_in_words;  // from the mesh's first payload word
};

// Sphere and cone around the quantised triangles of a sublet or a meshlet, in object space.
struct Bound {
    vec4 sphere;  // centre, radius
    vec4 cone;    // unit axis, cutoff as meshoptimizer defines it; cutoff 1: the cone can't cull
};

// One mesh: the triangles of one material in one glTF mesh. `first_*` and `payload_offset` place it in the file's
// shared arrays and in the arrays that decoding the whole file fills.
struct MeshHeader {
    vec4 sphere;    // of all vertices: centre, radius; object space
    vec4 aabb_min;  // xyz; w: position_scale = 2^position_exponent
    vec4 aabb_max;  // xyz; w: uv_scale = 2^uv_exponent, for both UV sets
    vec4 origin;    // xyz: position = origin + position_scale * integers; w: 0
    uint style;
    uint streams_present;  // bit t: stream type t; and kHasTangentBit
    uint stream_count;     // headers per sublet: the number of stream types present
    uint
        attribute_stride;  // words per vertex of decoded attributes, and one for high_position_bits() where it has some
    uint sublet_count;
    uint meshlet_count;   // = ceil(sublet_count / 8): sublets 8m .. 8m+7 make meshlet m
    uint triangle_count;  // of the whole mesh
    uint vertex_count;    // sum over sublets
    uint first_sublet;    // into sublet bounds
    uint first_meshlet;   // into meshlet bounds
    uint first_stream;    // into stream headers: sublet s, type t at first_stream + s * stream_count + rank(t); with
                          // kCompactBit there are none
    uint payload_offset;  // words
    uint payload_size;    // words, with one word of padding at the end
    int position_exponent;
    int uv_exponent;
    uint position_bits;    // signed bits that every position component fits
    uint first_vertex;     // into decoded positions
    uint first_triangle;   // into decoded triangles
    uint first_attribute;  // words, into decoded attributes
    uint coarse_meshlets;  // how many of its meshlets are of coarser levels of detail: they come first
};

// Levels of detail: a graph of groups of meshlets, in files that have them. A group's meshlets lie side by side on the
// surface; they were simplified as one, to other meshlets, which lie in other groups in turn. At an error E a meshlet
// is drawn when the error of its own group is more than E and that of the group it was simplified from is not. Groups
// are those of a mesh group: meshlets of several of its meshes may be of one.
struct LodGroup {
    vec4 sphere;  // centre, radius: object space. Holds its meshlets, and the spheres of the groups that these were
                  // simplified from
    float error;  // of what it was simplified to: a distance in object space, not less than of the groups that its
                  // meshlets were simplified from; infinite: it was not simplified
    uint level;   // the most that a meshlet of it was simplified
    uint reserved[2];
};

// Where a meshlet stands among them, by numbers of groups in the file.
SUBLET_CONST uint kNoLodGroup = 0xffffffffu;
SUBLET_CONST uint kLodLevelBits = 6u;  // of LodGroup::level; on the GPU the frame that brought a group lies above them
SUBLET_CONST uint kMostLodLevel = 63u;
struct LodMeshlet {
    uint group;            // that contains it; kNoLodGroup: of a mesh without levels
    uint simplified_from;  // kNoLodGroup: of the finest level
};

// What a morph target moves, as bits.
SUBLET_CONST uint kMorphPosition = 1u;
SUBLET_CONST uint kMorphNormal = 2u;
SUBLET_CONST uint kMorphTangent = 4u;
SUBLET_CONST uint kMorphAttributes = 3u;

// The morph targets of a mesh: what each adds to its vertices, times the target's weight. A target of a sublet has a
// stream for each of `attributes`, position, normal, tangent, packed as other streams are: 3 x i16, 3 x i8, 3 x i8, one
// value for each of the sublet's vertices; in the compact coding, for each that the sublet stores itself and the target
// moves (shared/compact_morph.h). What is added is 2^exponent times the integers. Sublets that a target does not move
// have no streams for it.
struct MorphMesh {
    uint mesh;
    uint target_count;    // 1 or more
    uint attributes;      // which of the three some target moves
    uint first_mask;      // into the masks: see MorphMask
    uint payload_offset;  // into the payload of morph targets, words
    uint payload_size;    // with one word of padding at the end
    int exponents[kMorphAttributes];
    uint place_bits;  // of where a target begins in the compact coding; 0: the plain one
    uint reserved[2];
};
SUBLET_CONST uint kMostMorphPlaceBits = 20u;

// Which of 32 targets move a sublet: of targets 32 w to 32 w + 31 and sublet s, mask number first_mask +
// s * ceil(target_count / 32) + w. The streams of those that do follow one another in the order of the targets.
struct MorphMask {
    uint targets;       // bit t: target 32 w + t
    uint first_stream;  // into the stream headers of morph targets: of the first of them; in the compact coding the
                        // word of the mesh's payload where the block of them begins
};

SUBLET_CHECK_SIZE(StreamHeader, 16);
SUBLET_CHECK_SIZE(MorphMesh, 48);
SUBLET_CHECK_SIZE(MorphMask, 8);
SUBLET_CHECK_SIZE(Bound, 32);
SUBLET_CHECK_SIZE(LodGroup, 32);
SUBLET_CHECK_SIZE(LodMeshlet, 8);
SUBLET_CHECK_SIZE(MeshHeader, 144);
SUBLET_CHECK_OFFSET(MeshHeader, style, 64);
SUBLET_CHECK_OFFSET(MeshHeader, first_sublet, 96);
SUBLET_CHECK_OFFSET(MeshHeader, first_vertex, 128);

SUBLET_SHARED_END
#endif
