// Vertices of meshes that deform. Passes of the frame have deformed the vertices that have room (scene/
// deform.comp); others are deformed here, by the same function, to the same bits. After scene/bindings.glsl.

#ifndef SUBLET_DEFORMED_GLSL
#define SUBLET_DEFORMED_GLSL

#include "scene/decode_compact.glsl"
#include "scene/decoded_position.glsl"
#include "scene/deformed_mesh.glsl"
#include "scene/sublet_records.glsl"
#include "scene/vertex.glsl"
#include "shared/compact_morph.h"

// A vertex as the file has it, in no pose: loaded once for all of them.
struct BindVertex {
    vec3 position;
    uint present;    // streams of its mesh
    uint direction;  // the attribute word of its normal and tangent, where the mesh has one,
    vec3 normal;     // and these, of unit length
    vec4 tangent;    // w: the sign of the bitangent
    uvec4 joints;    // two a word, the first in the lowest bits
    uvec4 weights;   // in parts, likewise: of all joints but the first, which has what they leave
    uint sublet;     // where what morph targets add to it is stored (DistinctVertex::place),
    uint lane;       // and the number there,
    CompactPredictors by;  // and by what it is predicted in the compact coding
};

// The place of a vertex on the grid of its mesh.
uvec2 bind_grid_position(uint mesh, uint vertex) { return decoded_position(mesh, meshes[mesh].first_vertex + vertex); }

// `at.place` counts where morph targets move the mesh.
BindVertex bind_vertex(DeformedMesh d, DistinctVertex at) {
    uint mesh = d.source;
    uint vertex = at.vertex;
    BindVertex v;
    v.present = meshes[mesh].streams_present;
    v.position = object_position(bind_grid_position(mesh, vertex), meshes[mesh].origin.xyz, meshes[mesh].aabb_min.w);
    uint first = meshes[mesh].first_attribute + vertex * meshes[mesh].attribute_stride;
    v.direction = stream_present(v.present, kStreamNormalTangent) ? attributes[first] : 0u;
    v.normal = vec3(0.0);
    v.tangent = vec4(0.0);
    if (stream_present(v.present, kStreamNormalTangent)) {
        v.normal = unit_direction(unpack_normal(v.direction));
    }
    if ((v.present & kHasTangentBit) != 0u) {
        v.tangent = unpack_tangent(v.direction);
        v.tangent.xyz = unit_direction(v.tangent.xyz);
    }
    v.joints = uvec4(0u);
    v.weights = uvec4(0u);
    if (deforms(kDeformsJoints) && stream_present(v.present, kStreamJointWeights)) {
        uint joints = first + attribute_offset(v.present, kStreamBoneIndices);
        uint weights = first + attribute_offset(v.present, kStreamJointWeights);
        v.joints.xy = uvec2(attributes[joints], attributes[joints + 1u]);
        v.weights.xy = uvec2(attributes[weights], attributes[weights + 1u]);
    }
    if (deforms(kDeformsEight) && stream_present(v.present, kStreamJointWeights1)) {
        uint joints = first + attribute_offset(v.present, kStreamJointIndices1);
        uint weights = first + attribute_offset(v.present, kStreamJointWeights1);
        v.joints.zw = uvec2(attributes[joints], attributes[joints + 1u]);
        uvec2 more = uvec2(attributes[weights], attributes[weights + 1u]);
        v.weights.yzw = uvec3(v.weights.y | more.x << 16u, more.x >> 16u | more.y << 16u, more.y >> 16u);
    }
    v.sublet = at.place / kSubletSize;
    v.lane = at.place % kSubletSize;
    v.by = CompactPredictors(0, 0, 0);
    if (deforms(kDeformsCompactMorphs) && d.morph_place_bits != 0u) {
        ivec3 from = ivec3(unpack_position(bind_grid_position(mesh, sublet_record(mesh, v.sublet).x)));
        ivec3 by = ivec3(unpack_position(bind_grid_position(mesh, vertex))) - from;
        v.by = CompactPredictors(by.x, by.y, by.z);
    }
    return v;
}

// By its number among those of its mesh.
DistinctVertex distinct_vertex(DeformedMesh d, uint number) {
    uint first = d.first_number + (meshes[d.source].vertex_count + 3u) / 4u;
    uvec4 two = deformation[first + (number >> 1u)];
    return (number & 1u) == 0u ? DistinctVertex(two.x, two.y) : DistinctVertex(two.z, two.w);
}

BindVertex bind_vertex(DeformedMesh d, uint vertex) {
    // Of a mesh with morph targets all vertices are distinct, in their order.
    bool placed = deforms(kDeformsMorphs) && d.morphs != 0u;
    return bind_vertex(d, placed ? distinct_vertex(d, vertex) : DistinctVertex(vertex, 0u));
}

// What a vertex becomes in a pose.
struct PosedVertex {
    vec4 position;  // w: 1
    vec4 normal;    // of any length; w: 0, as the tangent's
    vec4 tangent;
};

// Where what a target adds to the next attribute of a vertex is.
struct MorphCursor {
    uint stream;           // in the plain coding
    CompactMorph compact;  // in the compact one
};

// What is added to attribute number `number` of a vertex, in integers of so many bits, which are scaled.
vec4 next_delta(DeformedMesh d, BindVertex v, inout MorphCursor at, int bits, int number) {
    ivec3 value;
    if (deforms(kDeformsCompactMorphs) && d.morph_place_bits != 0u) {
        CompactValue c = compact_morph_value(d.morph_payload, at.compact, v.lane, v.by);
        value = ivec3(c.c[0], c.c[1], c.c[2]);
    } else {
        value = ivec3(decode_value(streams[at.stream++], d.morph_payload, v.lane).xyz);
    }
    int exponent = bitfieldExtract(int(d.morph_exponents), 8 * number, 8);
    return vec4(uintBitsToFloat(uint(exponent + 127) << 23u) * vec3(bitfieldExtract(value, 0, bits)), 0.0);
}

void add_morphs(DeformedMesh d, BindVertex v, inout PosedVertex posed) {
    uint count = deformation[d.first_weight].x;
    uint first_mask = d.first_mask + v.sublet * d.mask_words;
    for (uint i = 0u; i < count; ++i) {
        uvec4 pair = deformation[d.first_weight + 1u + (i >> 1u)];
        uint target = (i & 1u) == 0u ? pair.x : pair.z;
        float weight = uintBitsToFloat((i & 1u) == 0u ? pair.y : pair.w);
        uint word = first_mask + (target >> 5u);
        uvec4 masks = deformation[word >> 1u];
        MorphMask mask = (word & 1u) == 0u ? MorphMask(masks.x, masks.y) : MorphMask(masks.z, masks.w);
        uint bit = 1u << (target & 31u);
        if ((mask.targets & bit) == 0u) {
            continue;
        }
        MorphCursor at;
        at.stream = mask.first_stream + bitCount(mask.targets & (bit - 1u)) * bitCount(d.morphs);
        at.compact = CompactMorph(0u, 0u, 0u, 0u);
        if (deforms(kDeformsCompactMorphs) && d.morph_place_bits != 0u) {
            at.compact = compact_morph(d.morph_payload, mask, d.morph_place_bits, target & 31u);
            if ((at.compact.moved >> v.lane & 1u) == 0u) {
                continue;
            }
        }
        // A loop, so that the code that finds them is there once.
        for (int number = 0; number < int(kMorphAttributes); ++number) {
            if ((d.morphs >> number & 1u) == 0u) {
                continue;
            }
            vec4 delta = next_delta(d, v, at, number == 0 ? 16 : 8, number);
            if (number == 0) {
                posed.position = add_morph(posed.position, delta, weight);
            } else if (number == 1) {
                posed.normal = add_morph(posed.normal, delta, weight);
            } else {
                posed.tangent = add_morph(posed.tangent, delta, weight);
            }
        }
    }
}

uint half_of(uvec4 halves, uint i) { return halves[i >> 1u] >> (16u * (i & 1u)) & 0xffffu; }

// Row `row` of the matrix of joint `i` of a vertex.
vec4 joint_row(DeformedMesh d, BindVertex v, uint i, uint row) {
    return uintBitsToFloat(deformation[joint_matrix(d, half_of(v.joints, i)) + row]);
}

// Adds joints 1 to `count` - 1 to the first one's matrix. `count` is a constant: with no branch between joints, a
// compiler asks for the rows of all of them before it waits for one.
void blend_joints(DeformedMesh d, BindVertex v, const uint count, inout SkinMatrix m) {
    for (uint row = 0u; row < 3u; ++row) {
        vec4 first = m.rows[row];
        for (uint i = 1u; i < count; ++i) {
            float weight = joint_weight(half_of(v.weights, i - 1u));
            m.rows[row] = blend_row(m.rows[row], first, joint_row(d, v, i, row), weight);
        }
    }
}

// Without the joints behind the last that has a weight: a file has the strongest first. One between that has none adds
// zeros.
SkinMatrix blended_matrix(DeformedMesh d, BindVertex v) {
    SkinMatrix m;
    for (uint row = 0u; row < 3u; ++row) {
        m.rows[row] = joint_row(d, v, 0u, row);
    }
    SkinMatrix first = m;
    if ((v.weights.y & 0xffffu) != 0u) {
        blend_joints(d, v, 4u, m);
    } else if ((v.weights.x >> 16u) != 0u) {
        blend_joints(d, v, 3u, m);
    } else if (v.weights.x != 0u) {
        blend_joints(d, v, 2u, m);
    }
    for (uint i = 4u; deforms(kDeformsEight) && i < 8u; ++i) {
        uint parts = half_of(v.weights, i - 1u);
        if (parts != 0u) {
            for (uint row = 0u; row < 3u; ++row) {
                m.rows[row] = blend_row(m.rows[row], first.rows[row], joint_row(d, v, i, row), joint_weight(parts));
            }
        }
    }
    return m;
}

// As the deformed vertices hold it: xyz the position in the instance's space, as bits of floats; w: the attribute word
// of its normal and tangent, where the mesh has one.
uvec4 pose_vertex(DeformedMesh d, BindVertex v) {
    bool directed = stream_present(v.present, kStreamNormalTangent);
    bool tangential = (v.present & kHasTangentBit) != 0u;
    vec4 normal = vec4(v.normal, 0.0);
    vec4 tangent = vec4(v.tangent.xyz, 0.0);
    PosedVertex posed = PosedVertex(vec4(v.position, 1.0), normal, tangent);
    if (deforms(kDeformsMorphs) && d.morphs != 0u) {
        add_morphs(d, v, posed);
    }
    if (deforms(kDeformsJoints) && d.joint_count != 0u) {
        SkinMatrix m = blended_matrix(d, v);
        posed.position = skin_vector(m, posed.position);
        if (directed) {
            posed.normal = skin_normal(m, posed.normal);
        }
        if (tangential) {
            posed.tangent = skin_vector(m, posed.tangent);
        }
    }
    uvec4 result = uvec4(floatBitsToUint(posed.position.xyz), 0u);
    // What does not turn keeps its bits: packed anew, a direction between two folds might change sides.
    if (directed) {
        result.w = posed.normal == normal ? v.direction & 0xffffu : pack_normal(posed.normal.xyz);
    }
    if (tangential) {
        result.w |= posed.tangent == tangent ? v.direction & 0xffff0000u
                                             : pack_tangent(posed.tangent.xyz, v.tangent.w);
    }
    return result;
}

// Which of the distinct vertices of its mesh a vertex is.
uint distinct_number(DeformedMesh d, uint vertex) { return deformation[d.first_number + (vertex >> 2u)][vertex & 3u]; }

uvec4 deformed_vertex(DeformedMesh d, uint vertex, uint number) {
    if (deforms(kDeformsUncached) && d.first_vertex == kNotCached) {
        return pose_vertex(d, bind_vertex(d, vertex));
    }
    return deformation[d.first_vertex + number];
}

// Of a mesh that deforms.
uvec4 deformed_vertex(uint mesh, uint vertex) {
    DeformedMesh d = deformed_mesh(mesh);
    return deformed_vertex(d, vertex, distinct_number(d, vertex));
}

#endif
