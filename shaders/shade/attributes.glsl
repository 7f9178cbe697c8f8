// What shading reads of a vertex, from the decoded buffers or the encoded streams. The includer has included
// sublet_geometry.glsl.

#include "shade/features.glsl"

const uint kAnyTangent = kFeatureNormalMap | kFeatureClearcoatNormalMap | kFeatureAnisotropy;

// A vertex: where it is, and what was read together with that (vertex_word()).
struct ShadedVertex {
    vec3 place;  // in the mesh's space, in its pose
    uvec2 grid;  // on the mesh's grid; not where the mesh deforms
    uint normal_tangent;
    uint uv;
    uint uv1;
    uint color;
};

// Of the streams whose `types` have a bit: in the compact coding they are found one behind the other.
ShadedVertex read_compact(Sublet s, uint lane, uint types) {
    ShadedVertex v = ShadedVertex(vec3(0.0), uvec2(0u), 0u, 0u, 0u, 0u);
    CompactVertex c = sublet_compact_vertex(s, lane, v.grid);
    uint present = meshes[s.mesh].streams_present;
    [[dont_unroll]] for (uint type = kStreamNormalTangent; (types & present) >> type != 0u; ++type) {
        if (stream_present(present, type)) {
            bool pass_over = !stream_present(types, type) && type != kStreamUv;
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

// In any other, each is found by the vertex's number, when it is asked for.
ShadedVertex read_indexed(Sublet s, uint lane) {
    uvec2 grid = mesh_deforms(s.mesh) ? uvec2(0u) : sublet_indexed_position(s, lane);
    return ShadedVertex(vec3(0.0), grid, 0u, 0u, 0u, 0u);
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

// `types`: of the streams that vertex_word() will be asked for, a bit each.
ShadedVertex read_vertex(Sublet s, uint lane, uint types) {
    ShadedVertex v;
    if (kEncoded == kEncodedCompact) {
        v = read_compact(s, lane, types);
    } else {
        v = read_indexed(s, lane);
    }
    place_vertex(s, lane, v);
    return v;
}

// Of a triangle's corners. The compact coding and poses are long code, which drivers would compile for each corner: it
// has one place. What is short is read side by side, since one after the other waits three times.
void read_corners(Sublet s, uvec3 corners, uint types, out ShadedVertex v[3]) {
    if (kEncoded == kEncodedCompact) {
        [[dont_unroll]] for (uint i = 0u; i < 3u; ++i) {
            v[i] = read_compact(s, corners[i], types);
        }
    } else {
        [[unroll]] for (uint i = 0u; i < 3u; ++i) {
            v[i] = read_indexed(s, corners[i]);
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

// The first attribute word of stream `type`, which the mesh has. (No early return: the optimiser makes a loop of it.)
uint vertex_word(Sublet s, uint lane, ShadedVertex v, uint type) {
    uint present = meshes[s.mesh].streams_present;
    uint word;
    if (kEncoded == kEncodedCompact || (type == kStreamNormalTangent && mesh_deforms(s.mesh))) {
        word = type == kStreamUv      ? v.uv
               : type == kStreamUv1   ? v.uv1
               : type == kStreamColor ? v.color
                                      : v.normal_tangent;
    } else if (kEncoded == kEncodedPlain) {
        word = decode_words(streams[stream_of(s, type)], meshes[s.mesh].payload_offset, lane, present, type).x;
    } else {
        uint vertex = s.first_vertex + lane;
        uint first_word = meshes[s.mesh].first_attribute + vertex * meshes[s.mesh].attribute_stride;
        word = attributes[first_word + attribute_offset(present, type)];
    }
    return word;
}

bool has_normals(Sublet s) {
    return stream_present(meshes[s.mesh].streams_present, kStreamNormalTangent);
}
bool has_tangents(Sublet s) {
    return (meshes[s.mesh].streams_present & kHasTangentBit) != 0u;
}
