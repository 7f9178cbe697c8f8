#include "mesh/sizes.h"

#include <algorithm>
#include <bit>

#include "mesh/bit_stream.h"
#include "mesh/compact_morphs.h"
#include "mesh/compact_write.h"
#include "shaders/shared/compact.h"

namespace sublet::mesh {
namespace {

SubletSizes plain_sizes(const MeshView& mesh, std::uint32_t sublet) {
    SubletSizes out;
    out.counts = sublet_counts(mesh, sublet);
    for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
        const StreamHeader* const header = mesh.stream(sublet, type);
        if (header == nullptr) continue;
        StreamSize& stream = out.streams[type];
        stream.elements = type == shared::kStreamPrimitive ? out.counts.triangles : out.counts.vertices;
        stream.width = element_width(*header, type);
        stream.bits = std::uint64_t{stream.width} * stream.elements;
        stream.taken = std::uint64_t{words_for(stream.elements, stream.width)} * 32;
        out.header_bits += sizeof(StreamHeader) * 8;
        if (type != shared::kStreamNormalTangent) continue;
        out.tangent_bits = std::uint64_t{stream.elements} * (component_width(*header, 2) + component_width(*header, 3));
    }
    return out;
}

CompactFound find_compact(const MeshView& mesh, std::uint32_t sublet) {
    return find_compact_sublet(*mesh.header, mesh.payload, sublet);
}

// Bits of the triangles.
std::uint32_t topology_bits(const shared::CompactSublet& sublet, const shared::CompactOwn& own,
                            const shared::CompactTopology& topology) {
    if (topology.raw) return sublet.triangles * kTriangleBits;
    const std::uint32_t occurrences = sublet.triangles + 2 * static_cast<std::uint32_t>(std::popcount(topology.starts));
    const std::uint32_t reused = occurrences - sublet.vertices;
    const std::uint32_t begin = topology.turned_at != 0 ? topology.turned_at - 2 * reused
                                                        : topology.reused_at - shared::kCompactIndexBits * reused;
    return own.end - begin;
}

SubletSizes compact_sizes(const MeshView& mesh, std::uint32_t sublet) {
    const CompactFound found = find_compact(mesh, sublet);
    const shared::CompactWords from = found.from;
    const ComponentTable& table = found.table;
    const shared::CompactSublet& s = found.sublet;
    SubletSizes out;
    out.counts = {s.triangles, s.vertices, s.first_vertex, s.first_triangle};
    out.header_bits = 32 + (s.number == 0 ? shared::kCompactMeshletWords * 32 : 0) + (s.end - s.at);
    if (s.triangles == 0) return out;
    const auto add = [&out](std::uint32_t type, std::uint32_t elements, std::uint32_t width, std::uint32_t bits) {
        out.streams[type] = {elements, width, bits, bits};
        out.header_bits -= bits;
    };
    const shared::CompactOwn own = shared::compact_own(from, s);
    const std::uint32_t triangles = topology_bits(s, own, shared::compact_topology(from, s, own));
    add(shared::kStreamPrimitive, s.triangles, (triangles + s.triangles - 1) / s.triangles, triangles);
    std::uint32_t at = s.at;
    const auto stored = static_cast<std::uint32_t>(std::popcount(own.mask));
    for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
        if (!has_stream(type, mesh.header->streams_present)) continue;
        if (stored == 0) {
            add(type, s.vertices, 0, 0);
            continue;
        }
        const StreamLayout& layout = table.layout[type];
        const shared::CompactStream stream =
            shared::compact_stream(from, s.block, at, stored, table.first[type], layout.components,
                                   type == shared::kStreamPosition, layout.has_tangent_sign);
        add(type, s.vertices, stream.stride, stream.end - stream.values_at);
        if (type == shared::kStreamNormalTangent && stream.stride > 0) {
            out.tangent_bits = out.streams[type].bits / stream.stride * (stream.width[2] + stream.width[3]);
        }
        at = stream.end;
    }
    return out;
}

}  // namespace

PrimitiveCounts sublet_counts(const MeshView& mesh, std::uint32_t sublet) {
    if (!is_compact(*mesh.header)) return primitive_counts(*mesh.stream(sublet, shared::kStreamPrimitive));
    const shared::CompactSublet s = find_compact(mesh, sublet).sublet;
    return {s.triangles, s.vertices, s.first_vertex, s.first_triangle};
}

SubletPlace sublet_place(const MeshView& mesh, std::uint32_t sublet) {
    // The first of a compact meshlet is where its record says: its block is not read.
    const bool begins = is_compact(*mesh.header) && sublet % shared::kSubletsPerMeshlet == 0;
    const PrimitiveCounts counts = begins ? PrimitiveCounts{} : sublet_counts(mesh, sublet);
    SubletPlace out;
    if (is_compact(*mesh.header)) {
        const std::uint32_t record = ComponentTable(mesh.header->streams_present).count +
                                     sublet / shared::kSubletsPerMeshlet * shared::kCompactMeshletWords;
        out.meshlet_first_vertex = mesh.payload[record + 1];
        out.meshlet_first_triangle = mesh.payload[record + 2];
        out.first_vertex = out.meshlet_first_vertex + counts.first_vertex_in_meshlet;
        out.first_triangle = out.meshlet_first_triangle + counts.first_triangle_in_meshlet;
        return out;
    }
    const StreamHeader& triangles = *mesh.stream(sublet, shared::kStreamPrimitive);
    out.first_vertex = triangles.base_value[0];
    out.first_triangle = triangles.base_value[1];
    out.meshlet_first_vertex = out.first_vertex - counts.first_vertex_in_meshlet;
    out.meshlet_first_triangle = out.first_triangle - counts.first_triangle_in_meshlet;
    return out;
}

TargetSizes target_sizes(const MeshView& mesh, std::uint32_t sublet) {
    TargetSizes out;
    if (mesh.morph == nullptr) return out;
    if (is_compact(*mesh.morph)) return compact_target_sizes(mesh, sublet);
    const std::uint32_t vertices = sublet_counts(mesh, sublet).vertices;
    out.header_bits = (std::uint64_t{mesh.morph->target_count} + 31) / 32 * sizeof(MorphMask) * 8;
    for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
        const StreamHeader* header = mesh.morph_stream(sublet, t);
        for (std::uint32_t a = 0; a < shared::kMorphAttributes && header != nullptr; ++a) {
            if ((mesh.morph->attributes >> a & 1U) == 0) continue;
            const std::uint32_t width = value_width(*header++);
            out.streams.push_back(
                {a,
                 {vertices, width, std::uint64_t{width} * vertices, std::uint64_t{words_for(vertices, width)} * 32}});
            out.header_bits += sizeof(StreamHeader) * 8;
        }
    }
    return out;
}

SubletSizes sublet_sizes(const MeshView& mesh, std::uint32_t sublet) {
    return is_compact(*mesh.header) ? compact_sizes(mesh, sublet) : plain_sizes(mesh, sublet);
}

RangeTargetSizes range_target_sizes(const MeshView& mesh, std::uint32_t first, std::uint32_t end) {
    RangeTargetSizes out;
    if (mesh.morph == nullptr) return out;
    std::array<std::uint64_t, shared::kMorphAttributes> bits{};
    std::uint64_t header_bits = 0;
    for (std::uint32_t sublet = first; sublet < end; ++sublet) {
        const TargetSizes sizes = target_sizes(mesh, sublet);
        for (const auto& [attribute, size] : sizes.streams) bits[attribute] += size.taken;
        header_bits += sizes.header_bits;
    }
    std::uint64_t values = 0;
    for (std::uint32_t a = 0; a < shared::kMorphAttributes; ++a) {
        out.value_bytes[a] = bits[a] / 8;
        values += out.value_bytes[a];
    }
    const bool is_whole = first == 0 && end == mesh.header->sublet_count;
    out.header_bytes = is_whole && is_compact(*mesh.morph)
                           ? mesh.morph_masks.size_bytes() + mesh.morph_payload.size_bytes() - values
                           : header_bits / 8;
    return out;
}

RangeSizes range_sizes(const MeshView& mesh, std::uint32_t first, std::uint32_t end) {
    RangeSizes out;
    std::array<std::uint64_t, shared::kStreamTypes> bits{};
    std::uint64_t header_bits = 0;
    for (std::uint32_t sublet = first; sublet < end; ++sublet) {
        const SubletSizes sizes = sublet_sizes(mesh, sublet);
        out.triangles += sizes.counts.triangles;
        out.vertices += sizes.counts.vertices;
        for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) bits[type] += sizes.streams[type].taken;
        header_bits += sizes.header_bits;
        out.tangent_bits += sizes.tangent_bits;
    }
    std::uint64_t values = 0;
    for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
        out.stream_bytes[type] = bits[type] / 8;
        values += out.stream_bytes[type];
    }
    const bool is_whole = first == 0 && end == mesh.header->sublet_count;
    out.header_bytes = is_whole && is_compact(*mesh.header) ? mesh.payload.size_bytes() - values : header_bits / 8;
    return out;
}

}  // namespace sublet::mesh
