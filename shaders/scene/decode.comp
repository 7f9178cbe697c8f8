// Unpacks every sublet that is there, or those of a list of meshlets, into plain index and vertex buffers in VRAM. A
// workgroup for each meshlet of the file or of the list, of 32 lanes for each sublet: one triangle and one vertex each.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#define DECODED_ACCESS writeonly
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindIndices, std430) buffer Indices { uint indices[]; };
layout(set = kPassSet, binding = kBindBlock, std430) readonly buffer Block { uint block[]; };

layout(local_size_x = 256) in;

layout(push_constant) uniform Push { DecodeConstants constants; };

#include "scene/decode.glsl"
#include "scene/compact_records.glsl"

layout(constant_id = kSpecEncoded) const uint kEncoded = kEncodedPlain;
const bool kCompact = kEncoded == kEncodedCompact;

// Triangles of the sublets, as SubletRecord has them.
shared uint packed_triangles[256];
// Bit t of a vertex's: triangle t of its sublet is led by it.
shared uint led[256];

// The mesh that has a meshlet of the file: the last whose first_meshlet is not beyond it.
uint find_mesh(uint meshlet) {
    uint low = 0u;
    uint high = constants.mesh_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1u;
        if (meshes[middle].first_meshlet <= meshlet) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Of a sublet, whose narrow indices are or-ed into them.
void clear_indices(uint resident, uint lane) {
    uint words = kSubletSize * 3u * constants.index_bits / 32u;
    for (uint i = lane; i < words; i += 32u) {
        indices[resident * words + i] = 0u;
    }
}

// Writes `value` at element `element` of an array of narrow elements within zeroed words.
void or_index(uint element, uint bits, uint value) {
    uint per_word = 32u / bits;
    atomicOr(indices[element / per_word], value << (element % per_word * bits));
}

StreamHeader triangle_stream(uint mesh, uint sublet) {
    return streams[meshes[mesh].first_stream + sublet * meshes[mesh].stream_count];
}

// Of a sublet of a mesh: SubletRecord's first words.
uvec2 sublet_counts(uint mesh, uint sublet) {
    if (kCompact) {
        return compact_counts(find_compact_sublet(mesh, sublet));
    }
    StreamHeader primitives = triangle_stream(mesh, sublet);
    return uvec2(primitives.base_value[0], primitives.bits);
}

// What a vertex knows of the triangles that it leads (kLead...), and the first of those; 0 where it leads none.
// `first_lane`: of its sublet.
uint vertex_lead(uint first_lane, uint vertex, out uint first) {
    uint triangles = led[first_lane + vertex];
    first = 0u;
    if (triangles == 0u) {
        return vertex;
    }
    first = uint(findLSB(triangles));
    uint last = uint(findMSB(triangles));
    uint second = unpack_triangle(packed_triangles[first_lane + first]).y;
    uint later = 0u;
    if (first != last) {
        bool told_apart = bitCount(triangles) == 2 && last - first < kLeadSearch &&
                          unpack_triangle(packed_triangles[first_lane + last]).y != second;
        later = told_apart ? last - first : kLeadSearch;
    }
    return vertex | second << kLeadSecondShift | later << kLeadLaterShift;
}

// A sublet has room for kSubletSize triangles, so that a triangle's place tells its sublet. Those that it lacks have no
// area: three times its first vertex.
void write_indices(uint mesh, uint resident, uint chunk_vertex, uvec2 counts, uint lane, uvec3 triangle) {
    uint first = (resident * kSubletSize + lane) * 3u;
    if (constants.index_bits == 32u) {
        triangle += meshes[mesh].first_vertex + counts.x - chunk_vertex;
        indices[first] = triangle.x;
        indices[first + 1u] = triangle.y;
        indices[first + 2u] = triangle.z;
        return;
    }
    triangle += counts.y >> 16u & 0xffu;
    or_index(first, constants.index_bits, triangle.x);
    or_index(first + 1u, constants.index_bits, triangle.y);
    or_index(first + 2u, constants.index_bits, triangle.z);
}

// Writes the attribute words of a vertex from `word` on, stream by stream; returns its position.
uvec2 write_vertex(uint mesh, uint sublet, uint lane, uint word) {
    uint present = meshes[mesh].streams_present;
    uint first_stream = meshes[mesh].first_stream + sublet * meshes[mesh].stream_count;
    uint payload_offset = meshes[mesh].payload_offset;
    for (uint type = kStreamNormalTangent; type < kStreamTypes; ++type) {
        if (!stream_present(present, type)) {
            continue;
        }
        StreamHeader header = streams[first_stream + stream_rank(present, type)];
        uvec2 words = decode_words(header, payload_offset, lane, present, type);
        attributes[word++] = words.x;
        if ((kTwoWordStreams & (1u << type)) != 0u) {
            attributes[word++] = words.y;
        }
    }
    return decode_position(streams[first_stream + stream_rank(present, kStreamPosition)], payload_offset, lane);
}

// The same of a compact one.
uvec2 write_compact_vertex(FoundSublet found, uint present, uint lane, uint word) {
    uvec2 position;
    CompactVertex v = compact_vertex(found, lane, position);
    for (uint type = kStreamNormalTangent; type < kStreamTypes; ++type) {
        if (!stream_present(present, type)) {
            continue;
        }
        uvec2 words = next_compact_words(v, present, type, false);
        attributes[word++] = words.x;
        if ((kTwoWordStreams & (1u << type)) != 0u) {
            attributes[word++] = words.y;
        }
    }
    return position;
}

void main() {
    uint meshlet = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    if (constants.listed != 0u) {
        meshlet = meshlet < constants.listed ? block[constants.list + meshlet] : constants.meshlet_count;
    }
    if (meshlet >= constants.meshlet_count || meshlet_ranges[meshlet].first_sublet == kAbsent) {
        return;
    }
    uint in_meshlet = gl_LocalInvocationIndex / 32u;
    uint lane = gl_LocalInvocationIndex % 32u;
    uint first_lane = gl_LocalInvocationIndex - lane;
    uint mesh = find_mesh(meshlet);
    uint sublet = (meshlet - meshes[mesh].first_meshlet) * kSubletsPerMeshlet + in_meshlet;
    bool there = sublet < meshes[mesh].sublet_count;
    uint resident = meshlet_ranges[meshlet].first_sublet + in_meshlet;
    FoundSublet found;
    uvec2 counts = uvec2(0u);
    if (there && kCompact) {
        found = find_compact_sublet(mesh, sublet);
        counts = compact_counts(found);
    } else if (there) {
        counts = sublet_counts(mesh, sublet);
    }
    uint triangle_count = counts.y & 0xffu;
    uint vertex_count = counts.y >> 8u & 0xffu;

    uint packed = 0u;
    if (lane < triangle_count) {
        uvec3 t = kCompact ? compact_corners(found, lane)
                           : decode_triangle(triangle_stream(mesh, sublet), meshes[mesh].payload_offset, lane);
        packed = t.x | t.y << 5u | t.z << 10u;
    }
    packed_triangles[gl_LocalInvocationIndex] = packed;
    led[gl_LocalInvocationIndex] = 0u;
    if (constants.listed != 0u && there && constants.index_bits != 0u && constants.index_bits != 32u) {
        clear_indices(resident, lane);
        memoryBarrierBuffer();
    }
    barrier();
    if (lane < triangle_count) {
        atomicOr(led[first_lane + unpack_triangle(packed).x], 1u << lane);
    }
    barrier();
    if (!there) {
        return;
    }
    if (constants.index_bits != 0u) {
        write_indices(mesh, resident, meshlet_ranges[meshlet].chunk_vertex, counts, lane, unpack_triangle(packed));
    }
    bool records = (constants.parts & kDecodeRecords) != 0u;
    if (records && lane == 0u) {
        sublet_records[resident].first_vertex = counts.x;
        sublet_records[resident].counts = counts.y;
    }
    if (kCompact && (constants.parts & kDecodeCompactRecords) != 0u && lane == 0u && triangle_count != 0u) {
        compact_records[resident] = compact_record(found);
    }
    if (records && lane % 2u == 0u) {
        sublet_records[resident].triangles[lane / 2u] = packed | packed_triangles[gl_LocalInvocationIndex + 1u] << 16u;
    }
    if ((constants.parts & kDecodeVertices) != 0u && lane < vertex_count) {
        uint vertex = counts.x + lane;
        uint word = meshes[mesh].first_attribute + vertex * meshes[mesh].attribute_stride;
        uvec2 position = kCompact ? write_compact_vertex(found, meshes[mesh].streams_present, lane, word)
                                  : write_vertex(mesh, sublet, lane, word);
        if (kWidePositions) {
            if (meshes[mesh].position_bits > kNarrowPositionBits) {
                attributes[word + meshes[mesh].attribute_stride - 1u] = position.y >> 16u;
            }
            position.y &= 0xffffu;
        }
        if ((constants.parts & kDecodeLeads) != 0u) {
            uint first;
            uint lead = vertex_lead(first_lane, lane, first);
            leads[meshes[mesh].first_vertex + vertex] = sublet * kSubletSize + first;
            position.y |= lead << kLeadShift;
        }
        positions[meshes[mesh].first_vertex + vertex] = position;
    }
}
