// Sublets in the compact coding, for the decode pass: the GPU's half of mesh/compact.cpp, equal to it to the bit. The
// includer declares `meshes`, `payload` and `attributes`, and has included decode.glsl.

#include "shared/compact.h"

// How many components a stream of a mesh has.
uint compact_components_of(uint present, uint type) {
    if (type == kStreamNormalTangent && (present & kHasTangentBit) == 0u) {
        return 2u;
    }
#define SUBLET_COMPONENTS(constant, t, name, style, components, bits, is_signed) \
    if (type == t) {                                                             \
        return components;                                                       \
    }
    SUBLET_STREAMS(SUBLET_COMPONENTS)
#undef SUBLET_COMPONENTS
    return 0u;
}

// Where the records of meshlets begin: behind the table of components.
uint compact_records(uint present) {
    uint count = 0u;
    for (uint type = kStreamPosition; type < kStreamTypes; ++type) {
        count += stream_present(present, type) ? compact_components_of(present, type) : 0u;
    }
    return count;
}

// A sublet of a mesh, looked up once.
struct FoundSublet {
    uint from;  // the mesh's payload
    CompactSublet sublet;
    uint sublets;               // of its meshlet
    uint meshlet_first_vertex;  // within the mesh
    CompactOwn own;
};

// `sublet` counts within the mesh.
FoundSublet find_compact_sublet(uint mesh, uint sublet) {
    FoundSublet f;
    f.from = meshes[mesh].payload_offset;
    uint meshlet = sublet / kSubletsPerMeshlet;
    uint record = compact_records(meshes[mesh].streams_present) + meshlet * kCompactMeshletWords;
    f.sublets = min(meshes[mesh].sublet_count - meshlet * kSubletsPerMeshlet, kSubletsPerMeshlet);
    f.meshlet_first_vertex = compact_word(f.from, record + 1u);
    f.sublet = compact_sublet(f.from, compact_word(f.from, record), sublet % kSubletsPerMeshlet, f.sublets);
    if (f.sublet.triangles != 0u) {
        f.own = compact_own(f.from, f.sublet);
    }
    return f;
}

// SubletRecord's first words.
uvec2 compact_counts(FoundSublet f) {
    return uvec2(f.meshlet_first_vertex + f.sublet.first_vertex,
                 f.sublet.triangles | f.sublet.vertices << 8u | f.sublet.first_vertex << 16u |
                     f.sublet.first_triangle << 24u);
}

// Of its meshlet.
uint compact_meshlet_triangles(FoundSublet f) {
    return (compact_word(f.from, f.sublet.block + f.sublets - 1u) >> 24u) + 1u;
}

uvec3 compact_corners(FoundSublet f, uint index) {
    CompactTriangle t = compact_triangle(f.from, f.sublet, compact_topology(f.from, f.sublet, f.own), index);
    return uvec3(t.a, t.b, t.c);
}

// The attribute words of a value.
uvec2 compact_words_of(CompactValue value, uint type) {
    uvec4 c = uvec4(value.c[0], value.c[1], value.c[2], value.c[3]);
    if ((kByteStreams & (1u << type)) != 0u) {
        c &= 0xffu;
        return uvec2(c.x | c.y << 8u | c.z << 16u | c.w << 24u, 0u);
    }
    c &= 0xffffu;
    return uvec2(c.x | c.y << 16u, c.z | c.w << 16u);
}

// Writes the attribute words of vertex `lane` of a sublet from `word` on; returns its position as decode_position()
// does. `present`: the streams of its mesh.
uvec2 write_compact_vertex(FoundSublet f, uint present, uint lane, uint word) {
    uint from = f.from;
    uint block = f.sublet.block;
    CompactPlace place = compact_place(from, f.sublet, f.own, lane);
    uint at = compact_begin(from, block, place.number, f.sublets);
    uint first = 0u;  // component of the stream
    uint own = 0u;
    uvec2 position = uvec2(0u);
    uvec2 uv = uvec2(0u);
    CompactPredictors by = CompactPredictors(0, 0, 0);
    for (uint type = kStreamPosition; type < kStreamTypes; ++type) {
        if (!stream_present(present, type)) {
            continue;
        }
        uint components = compact_components_of(present, type);
        bool is_position = type == kStreamPosition;
        bool has_sign = type == kStreamNormalTangent && (present & kHasTangentBit) != 0u;
        CompactStream stream = compact_stream(from, block, at, own, first, components, is_position, has_sign);
        at = stream.end;
        own = stream.own;
        first += components;
        uvec2 words = uv;
        if (stream.mode != kCompactSame) {
            CompactValue differences = compact_differences(from, block, stream, place.index);
            if (is_position) {
                by = compact_predictors(stream, differences);
            }
            CompactValue value = compact_components(stream, differences, by);
            if (type == kStreamNormalTangent) {
                value = compact_fold_normal(value);
            }
            if (has_sign && stream.sign != kTangentSignInLowBit) {
                value.c[3] = value.c[3] * 2 + int(stream.sign);
            }
            words = compact_words_of(value, type);
        }
        if (is_position) {
            position = words;
            continue;
        }
        if (type == kStreamUv) {
            uv = words;
        }
        attributes[word++] = words.x;
        if ((kTwoWordStreams & (1u << type)) != 0u) {
            attributes[word++] = words.y;
        }
    }
    return position;
}
