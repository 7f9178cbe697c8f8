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

uint compact_record(uint mesh, uint meshlet, uint field) {
    uint at = compact_records(meshes[mesh].streams_present) + meshlet * kCompactMeshletWords + field;
    return compact_word(meshes[mesh].payload_offset, at);
}

// The first vertex of a meshlet, within the mesh.
uint compact_first_vertex(uint mesh, uint meshlet) {
    return compact_record(mesh, meshlet, 1u);
}

uint compact_sublets_of(uint mesh, uint meshlet) {
    return min(meshes[mesh].sublet_count - meshlet * kSubletsPerMeshlet, kSubletsPerMeshlet);
}

// `sublet` counts within the mesh.
CompactSublet compact_sublet_of(uint mesh, uint sublet) {
    uint meshlet = sublet / kSubletsPerMeshlet;
    return compact_sublet(meshes[mesh].payload_offset, compact_record(mesh, meshlet, 0u), sublet % kSubletsPerMeshlet,
                          compact_sublets_of(mesh, meshlet));
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
// does.
uvec2 write_compact_vertex(uint mesh, uint sublet, uint lane, uint word) {
    uint from = meshes[mesh].payload_offset;
    uint present = meshes[mesh].streams_present;
    CompactSublet s = compact_sublet_of(mesh, sublet);
    CompactPlace place = compact_place(from, s, compact_own(from, s), lane);
    uint at = compact_begin(from, s.block, place.number, compact_sublets_of(mesh, sublet / kSubletsPerMeshlet));
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
        CompactStream stream = compact_stream(from, s.block, at, own, first, components, is_position, has_sign);
        at = stream.end;
        own = stream.own;
        first += components;
        uvec2 words = uv;
        if (stream.mode != kCompactSame) {
            CompactValue differences = compact_differences(from, s.block, stream, place.index);
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
