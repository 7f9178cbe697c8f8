// Sublets in the compact coding: the GPU's half of mesh/compact.cpp, equal to it to the bit. The includer declares
// `meshes` and `payload`.

#ifndef SUBLET_DECODE_COMPACT_GLSL
#define SUBLET_DECODE_COMPACT_GLSL

#extension GL_EXT_control_flow_attributes : require

#include "scene/decode.glsl"

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
uint compact_meshlet_records(uint present) {
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
    uint record = compact_meshlet_records(meshes[mesh].streams_present) + meshlet * kCompactMeshletWords;
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

// A vertex's streams, which are looked at one after the other.
struct CompactVertex {
    uint from;   // the mesh's payload
    uint block;  // word of that
    uint index;  // among the vertices that a sublet of the block stores
    uint at;     // bit where the next stream begins
    uint first;  // its first component
    uint own;    // vertices that the sublet stores
    CompactPredictors by;
    uvec2 uv;
};

// Of sublet `number` of the meshlet.
CompactStream compact_positions(FoundSublet f, uint number) {
    uint at = compact_begin(f.from, f.sublet.block, number, f.sublets);
    return compact_stream(f.from, f.sublet.block, at, 0u, 0u, 3u, true, false);
}

// Begins with its position, as decode_position() gives it.
CompactVertex begin_compact_vertex(uint from, uint block, uint index, CompactStream positions, out uvec2 position) {
    CompactVertex v;
    v.from = from;
    v.block = block;
    v.index = index;
    v.at = positions.end;
    v.first = 3u;
    v.own = positions.own;
    v.uv = uvec2(0u);
    CompactValue differences = compact_differences(from, block, positions, index);
    v.by = compact_predictors(positions, differences);
    CompactValue value = compact_components(positions, differences, v.by);
    position = compact_words_of(value, kStreamPosition);
    if (SUBLET_WIDE_POSITIONS) {
        position.y |= high_position_bits(value.c[0], value.c[1], value.c[2]) << 16u;
    }
    return v;
}

CompactVertex compact_vertex(FoundSublet f, uint vertex, out uvec2 position) {
    CompactPlace place = compact_place(f.from, f.sublet, f.own, vertex);
    return begin_compact_vertex(f.from, f.sublet.block, place.index, compact_positions(f, place.number), position);
}

// The words of the next stream, which is of type `type`, as decode_words() gives them. Those of a stream that is passed
// over are nothing; the first texture coordinates never are, since a second set may be told from these. `present`: the
// streams of the mesh.
uvec2 next_compact_words(inout CompactVertex v, uint present, uint type, bool pass_over) {
    uint components = compact_components_of(present, type);
    bool has_sign = type == kStreamNormalTangent && (present & kHasTangentBit) != 0u;
    CompactStream stream = compact_stream(v.from, v.block, v.at, v.own, v.first, components, false, has_sign);
    v.at = stream.end;
    v.first += components;
    if (stream.mode == kCompactSame) {
        return v.uv;
    }
    if (pass_over) {
        return uvec2(0u);
    }
    CompactValue value = compact_components(stream, compact_differences(v.from, v.block, stream, v.index), v.by);
    if (type == kStreamNormalTangent) {
        value = compact_fold_normal(value);
    }
    if (has_sign && stream.sign != kTangentSignInLowBit) {
        value.c[3] = value.c[3] * 2 + int(stream.sign);
    }
    uvec2 words = compact_words_of(value, type);
    if (type == kStreamUv) {
        v.uv = words;
    }
    return words;
}

#endif
