// Unpacks every sublet of every mesh into plain index and vertex buffers in VRAM. 32 lanes a sublet: one triangle and
// one vertex each.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "shared/passes.h"
#define DECODED_ACCESS writeonly
#include "scene/bindings.glsl"
layout(set = kPassSet, binding = kBindIndices, std430) buffer Indices { uint indices[]; };

layout(local_size_x = 256) in;

layout(push_constant) uniform Push { DecodeConstants constants; };

#include "scene/decode.glsl"

// The mesh that holds global sublet `sublet`: the last whose first_sublet is not beyond it and that is not empty.
uint find_mesh(uint sublet) {
    uint low = 0u;
    uint high = constants.mesh_count;
    while (low + 1u < high) {
        uint middle = (low + high) >> 1u;
        if (meshes[middle].first_sublet <= sublet) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Writes `count` low bits of `value` at element `index` of an array of narrow elements within zeroed words.
void or_index(uint element, uint bits, uint value) {
    uint per_word = 32u / bits;
    atomicOr(indices[element / per_word], value << (element % per_word * bits));
}

// What a vertex knows of the triangles that it leads (kLead...), and the first of those; 0 where it leads none.
uint vertex_lead(StreamHeader primitives, uint payload_offset, uint triangle_count, uint vertex, out uint first) {
    first = 0u;
    uint second = 0u;  // corner of the first
    uint later = 0u;
    bool found = false;
    for (uint t = 0u; t < triangle_count; ++t) {
        uvec3 corners = decode_triangle(primitives, payload_offset, t);
        if (corners.x != vertex) {
            continue;
        }
        if (!found) {
            first = t;
            second = corners.y;
            found = true;
        } else {
            later = later != 0u || corners.y == second || t - first >= kLeadSearch ? kLeadSearch : t - first;
        }
    }
    return vertex | second << kLeadSecondShift | later << kLeadLaterShift;
}

void main() {
    uint group = gl_WorkGroupID.y * kDispatchRow + gl_WorkGroupID.x;
    uint sublet = group * 8u + gl_LocalInvocationIndex / 32u;
    uint lane = gl_LocalInvocationIndex % 32u;
    if (sublet >= constants.sublet_count) {
        return;
    }
    uint mesh_index = find_mesh(sublet);
    uint present = meshes[mesh_index].streams_present;
    uint stream_count = meshes[mesh_index].stream_count;
    uint payload_offset = meshes[mesh_index].payload_offset;
    uint local_sublet = sublet - meshes[mesh_index].first_sublet;
    uint first_stream = meshes[mesh_index].first_stream + local_sublet * stream_count;

    StreamHeader primitives = streams[first_stream];
    uint triangle_count = primitives.bits & 0xffu;
    uint vertex_count = (primitives.bits >> 8u) & 0xffu;
    uint meshlet = local_sublet / kSubletsPerMeshlet;

    if (constants.index_bits != 0u) {
        // A sublet has room for kSubletSize triangles, so that a triangle's place tells its sublet. Those that it lacks
        // have no area: three times its first vertex.
        uvec3 triangle = lane < triangle_count ? decode_triangle(primitives, payload_offset, lane) : uvec3(0u);
        uint first = (sublet * kSubletSize + lane) * 3u;
        if (constants.index_bits == 32u) {
            uint chunk = meshlet / kDirectChunkMeshlets;
            uint chunk_stream =
                meshes[mesh_index].first_stream + chunk * kDirectChunkMeshlets * kSubletsPerMeshlet * stream_count;
            triangle += primitives.base_value[0] - streams[chunk_stream].base_value[0];
            indices[first] = triangle.x;
            indices[first + 1u] = triangle.y;
            indices[first + 2u] = triangle.z;
        } else {
            triangle += (primitives.bits >> 16u) & 0xffu;
            or_index(first, constants.index_bits, triangle.x);
            or_index(first + 1u, constants.index_bits, triangle.y);
            or_index(first + 2u, constants.index_bits, triangle.z);
        }
    }

    if (constants.write_vertices == 0u) {
        return;
    }
    if (lane == 0u && local_sublet % kSubletsPerMeshlet == 0u) {
        uint last = min(local_sublet + kSubletsPerMeshlet, meshes[mesh_index].sublet_count) - 1u;
        StreamHeader last_primitives = streams[meshes[mesh_index].first_stream + last * stream_count];
        MeshletRange range;
        range.first_vertex = meshes[mesh_index].first_vertex + primitives.base_value[0];
        range.triangle_count = (last_primitives.bits >> 24u) + (last_primitives.bits & 0xffu);
        meshlet_ranges[meshes[mesh_index].first_meshlet + meshlet] = range;
    }
    if (lane < vertex_count) {
        uint vertex = primitives.base_value[0] + lane;
        StreamHeader position_stream = streams[first_stream + stream_rank(present, kStreamPosition)];
        uvec2 position = decode_position(position_stream, payload_offset, lane);
        if (constants.write_leads != 0u) {
            uint first;
            uint lead = vertex_lead(primitives, payload_offset, triangle_count, lane, first);
            leads[meshes[mesh_index].first_vertex + vertex] = local_sublet * kSubletSize + first;
            position.y |= lead << kLeadShift;
        }
        positions[meshes[mesh_index].first_vertex + vertex] = position;

        uint word = meshes[mesh_index].first_attribute + vertex * meshes[mesh_index].attribute_stride;
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
    }
}
