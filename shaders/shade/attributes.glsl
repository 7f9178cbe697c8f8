// What shading reads of a vertex, from the decoded buffers or the encoded streams. The includer has included
// sublet_geometry.glsl.

#include "shade/features.glsl"

const uint kAnyTangent = kFeatureNormalMap | kFeatureClearcoatNormalMap | kFeatureAnisotropy;

// A vertex: where it is, and what it has, packed. Words that nobody asked for, or that its mesh lacks, are 0.
struct ShadedVertex {
    vec3 place;  // in the mesh's space, in its pose
    uvec2 grid;  // on the mesh's grid; not where the mesh deforms
    uint normal_tangent;
    uint uv;
    uint uv1;
    uint color;
};

// The word of stream `type`, which the mesh has, in any but the compact coding.
uint indexed_word(Sublet s, uint lane, uint type) {
    uint present = meshes[s.mesh].streams_present;
    if (kEncoded == kEncodedPlain) {
        return decode_words(streams[stream_of(s, type)], meshes[s.mesh].payload_offset, lane, present, type).x;
    }
    uint vertex = s.first_vertex + lane;
    uint first_word = meshes[s.mesh].first_attribute + vertex * meshes[s.mesh].attribute_stride;
    return attributes[first_word + attribute_offset(present, type)];
}

ShadedVertex indexed_words(Sublet s, uint lane, uint wanted) {
    ShadedVertex v = ShadedVertex(vec3(0.0), uvec2(0u), 0u, 0u, 0u, 0u);
    if (stream_present(wanted, kStreamPosition)) {
        v.grid = sublet_indexed_position(s, lane);
    }
    if (stream_present(wanted, kStreamNormalTangent)) {
        v.normal_tangent = indexed_word(s, lane, kStreamNormalTangent);
    }
    if (stream_present(wanted, kStreamUv)) {
        v.uv = indexed_word(s, lane, kStreamUv);
    }
    if (stream_present(wanted, kStreamUv1)) {
        v.uv1 = indexed_word(s, lane, kStreamUv1);
    }
    if (stream_present(wanted, kStreamColor)) {
        v.color = indexed_word(s, lane, kStreamColor);
    }
    return v;
}

// In the compact coding streams are found one behind the other.
ShadedVertex compact_words(Sublet s, uint lane, uint wanted) {
    ShadedVertex v = ShadedVertex(vec3(0.0), uvec2(0u), 0u, 0u, 0u, 0u);
    CompactVertex c = sublet_compact_vertex(s, lane, v.grid);
    uint present = meshes[s.mesh].streams_present;
    [[dont_unroll]] for (uint type = kStreamNormalTangent; wanted >> type != 0u; ++type) {
        if (stream_present(present, type)) {
            bool pass_over = !stream_present(wanted, type) && type != kStreamUv;
            uint word = next_compact_words(c, present, type, pass_over).x;
            switch (type) {
                case kStreamNormalTangent: v.normal_tangent = word; break;
                case kStreamUv: v.uv = word; break;
                case kStreamUv1: v.uv1 = word; break;
                case kStreamColor: v.color = word; break;
            }
        }
    }
    return v;
}

// What is read of the file's streams. What deforms has its places and directions elsewhere.
uint stored_streams(uint mesh, uint types) {
    uint wanted = mesh_deforms(mesh) ? types & ~(1u << kStreamNormalTangent) : types | 1u << kStreamPosition;
    return wanted & meshes[mesh].streams_present;
}

void place_vertex(Sublet s, uint lane, inout ShadedVertex v) {
    if (mesh_deforms(s.mesh)) {
        uvec4 deformed = deformed_vertex(s.mesh, s.first_vertex + lane);
        v.place = uintBitsToFloat(deformed.xyz);
        v.normal_tangent = deformed.w;
    } else {
        v.place = bind_position(s.mesh, v.grid);
    }
}

// All that is asked for at once: `types` has a bit for each type of stream.
ShadedVertex read_vertex(Sublet s, uint lane, uint types) {
    uint wanted = stored_streams(s.mesh, types);
    ShadedVertex v;
    if (kEncoded == kEncodedCompact) {
        v = compact_words(s, lane, wanted);
    } else {
        v = indexed_words(s, lane, wanted);
    }
    place_vertex(s, lane, v);
    return v;
}

// Of a triangle's corners. The compact coding and poses are long code, which drivers would compile for each corner: it
// has one place. What is short is read side by side, since one after the other waits three times.
void read_corners(Sublet s, uvec3 corners, uint types, out ShadedVertex v[3]) {
    uint wanted = stored_streams(s.mesh, types);
    if (kEncoded == kEncodedCompact) {
        [[dont_unroll]] for (uint i = 0u; i < 3u; ++i) {
            v[i] = compact_words(s, corners[i], wanted);
        }
    } else {
        [[unroll]] for (uint i = 0u; i < 3u; ++i) {
            v[i] = indexed_words(s, corners[i], wanted);
        }
    }
    if (deforms(kDeformsUncached)) {
        [[dont_unroll]] for (uint i = 0u; i < 3u; ++i) {
            place_vertex(s, corners[i], v[i]);
        }
    } else {
        [[unroll]] for (uint i = 0u; i < 3u; ++i) {
            place_vertex(s, corners[i], v[i]);
        }
    }
}

bool has_normals(Sublet s) {
    return stream_present(meshes[s.mesh].streams_present, kStreamNormalTangent);
}
bool has_tangents(Sublet s) {
    return (meshes[s.mesh].streams_present & kHasTangentBit) != 0u;
}
