// Vertices of meshes that deform. Passes of the frame have deformed the vertices that have room (scene/
// deform.comp); others are deformed here, by the same function, to the same bits. After scene/bindings.glsl.

#ifndef SUBLET_DEFORMED_GLSL
#define SUBLET_DEFORMED_GLSL

#include "scene/decode.glsl"
#include "scene/deformed_mesh.glsl"
#include "scene/vertex.glsl"

SkinMatrix joint_matrix(DeformedMesh d, uint joint) {
    uint at = d.first_matrix + min(joint, d.joint_count - 1u) * kSkinMatrixVectors;
    return SkinMatrix(vec4[3](uintBitsToFloat(deformation[at]), uintBitsToFloat(deformation[at + 1u]),
                              uintBitsToFloat(deformation[at + 2u])));
}

// Number `i` of a row of 16-bit numbers that begins at an attribute word.
uint half_word(uint first_word, uint i) { return attributes[first_word + (i >> 1u)] >> (16u * (i & 1u)) & 0xffffu; }

// A vertex of the instance's mesh, as the deformed vertices hold it: xyz its position in the instance's space, as bits
// of floats; w: the attribute word of its normal and tangent, where the mesh has one.
uvec4 deform_vertex(DeformedMesh d, uint vertex) {
    uint present = meshes[d.mesh].streams_present;
    uint first_word = meshes[d.mesh].first_attribute + vertex * meshes[d.mesh].attribute_stride;
    uint joints = first_word + attribute_offset(present, kStreamBoneIndices);
    uint weights = first_word + attribute_offset(present, kStreamJointWeights);
    SkinMatrix first = joint_matrix(d, half_word(joints, 0u));
    SkinMatrix m = first;
    // Weights begin with the second joint's: the first has what all others leave. The count is no constant, so that no
    // compiler makes many copies of the loop.
    uint count = stream_present(present, kStreamJointWeights1) ? 8u : 4u;
    for (uint i = 1u; i < count; ++i) {
        if (i == 4u) {
            joints = first_word + attribute_offset(present, kStreamJointIndices1) - 2u;
            weights = first_word + attribute_offset(present, kStreamJointWeights1) - 2u;
        }
        uint parts = i < 4u ? half_word(weights, i - 1u) : half_word(weights, i);
        if (parts != 0u) {
            m = blend_joint(m, first, joint_matrix(d, half_word(joints, i)), parts);
        }
    }
    vec3 position = object_position(positions[meshes[d.mesh].first_vertex + vertex], meshes[d.mesh].origin.xyz,
                                    meshes[d.mesh].aabb_min.w);
    uvec4 result = uvec4(floatBitsToUint(skin_vector(m, vec4(position, 1.0)).xyz), 0u);
    if (stream_present(present, kStreamNormalTangent)) {
        uint word = attributes[first_word + attribute_offset(present, kStreamNormalTangent)];
        // What does not turn keeps its bits: packed anew, a direction between two folds might change sides.
        vec4 normal = vec4(unit_direction(unpack_normal(word)), 0.0);
        vec4 moved = skin_normal(m, normal);
        result.w = moved == normal ? word & 0xffffu : pack_normal(moved.xyz);
        if ((present & kHasTangentBit) != 0u) {
            float bitangent_sign = unpack_tangent(word).w;
            vec4 tangent = vec4(unit_direction(unpack_tangent(word).xyz), 0.0);
            moved = skin_vector(m, tangent);
            result.w |= moved == tangent ? word & 0xffff0000u : pack_tangent(moved.xyz, bitangent_sign);
        }
    }
    return result;
}

// Of a mesh that deforms.
uvec4 deformed_vertex(uint mesh, uint vertex) {
    DeformedMesh d = deformed_mesh(mesh);
    return d.first_vertex == kNotCached ? deform_vertex(d, vertex) : deformation[d.first_vertex + vertex];
}

#endif
