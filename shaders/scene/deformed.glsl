// Vertices and bounds of instances that deform. Passes of the frame have deformed the vertices that have room (scene/
// deform.comp); others are deformed here, by the same function, to the same bits. After scene/bindings.glsl.

#ifndef SUBLET_DEFORMED_GLSL
#define SUBLET_DEFORMED_GLSL

#include "scene/decode.glsl"
#include "scene/vertex.glsl"

SkinMatrix joint_matrix(DeformedMesh d, uint joint) {
    return skin_matrices[d.first_matrix + min(joint, d.joint_count - 1u)];
}

// Of four joints, of 16 bits each as their weights, those that have weight.
SkinMatrix blend_joints(SkinMatrix sum, SkinMatrix first, DeformedMesh d, uvec2 joints, uvec2 parts) {
    for (uint i = 0u; i < 4u; ++i) {
        uint shift = 16u * (i & 1u);
        uint weight = parts[i >> 1u] >> shift & 0xffffu;
        if (weight != 0u) {
            sum = blend_joint(sum, first, joint_matrix(d, joints[i >> 1u] >> shift & 0xffffu), weight);
        }
    }
    return sum;
}

uvec2 two_attribute_words(uint first_word, uint present, uint type) {
    uint at = first_word + attribute_offset(present, type);
    return uvec2(attributes[at], attributes[at + 1u]);
}

// A vertex of the instance's mesh, as the deformed vertices hold it: xyz its position in the instance's space, as bits
// of floats; w: the attribute word of its normal and tangent, where the mesh has one.
uvec4 deform_vertex(DeformedMesh d, uint vertex) {
    uint present = meshes[d.mesh].streams_present;
    uint first_word = meshes[d.mesh].first_attribute + vertex * meshes[d.mesh].attribute_stride;
    uvec2 joints = two_attribute_words(first_word, present, kStreamBoneIndices);
    uvec2 parts = two_attribute_words(first_word, present, kStreamJointWeights);
    SkinMatrix first = joint_matrix(d, joints.x & 0xffffu);
    // Weights begin with the second joint's: the first has what all others leave.
    SkinMatrix m = blend_joints(first, first, d, uvec2(joints.x >> 16u | joints.y << 16u, joints.y >> 16u), parts);
    if (stream_present(present, kStreamJointWeights1)) {
        m = blend_joints(m, first, d, two_attribute_words(first_word, present, kStreamJointIndices1),
                         two_attribute_words(first_word, present, kStreamJointWeights1));
    }
    vec3 position = object_position(positions[meshes[d.mesh].first_vertex + vertex], meshes[d.mesh].origin.xyz,
                                    meshes[d.mesh].aabb_min.w);
    uvec4 result = uvec4(floatBitsToUint(skin_vector(m, vec4(position, 1.0)).xyz), 0u);
    if (stream_present(present, kStreamNormalTangent)) {
        uint word = attributes[first_word + attribute_offset(present, kStreamNormalTangent)];
        result.w = pack_normal(skin_normal(m, vec4(unit_direction(unpack_normal(word)), 0.0)).xyz);
        if ((present & kHasTangentBit) != 0u) {
            vec4 tangent = unpack_tangent(word);
            result.w |= pack_tangent(skin_vector(m, vec4(unit_direction(tangent.xyz), 0.0)).xyz, tangent.w);
        }
    }
    return result;
}

bool mesh_deforms(uint mesh) { return kDeforms && meshes[mesh].reserved != 0u; }

// Of a mesh that deforms.
uvec4 deformed_vertex(uint mesh, uint vertex) {
    DeformedMesh d = deformed[meshes[mesh].reserved - 1u];
    return d.first_vertex == kNotCached ? deform_vertex(d, vertex) : deformed_vertices[d.first_vertex + vertex];
}

#endif
