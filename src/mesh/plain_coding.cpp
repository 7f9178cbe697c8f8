#include "mesh/plain_coding.h"

#include <span>

#include "mesh/bit_stream.h"
#include "mesh/stream.h"

namespace sublet::mesh {
namespace {

StreamHeader pack_triangles(const DecodedSublet& sublet, std::vector<std::uint32_t>& payload) {
    StreamHeader header{};
    header.offset_in_words = static_cast<std::uint32_t>(payload.size());
    BitWriter writer(payload);
    for (std::uint32_t i = 0; i < sublet.triangle_count; ++i) {
        const std::array<std::uint8_t, 3>& t = sublet.triangles[i];
        writer.write(t[0] | static_cast<std::uint32_t>(t[1]) << kIndexBits |
                         static_cast<std::uint32_t>(t[2]) << (2 * kIndexBits),
                     kTriangleBits);
    }
    writer.flush();
    return header;
}

// Of a stream of vertices.
StreamLayout layout_of(std::uint32_t type, const MeshHeader& header) {
    StreamLayout layout = stream_layout(type, header.streams_present);
    if (type == shared::kStreamPosition && has_wide_positions(header)) layout.component_bits = kMostPositionBits;
    return layout;
}

}  // namespace

void pack_plain(const DecodedSublet& sublet, const MeshHeader& mesh, const SubletPlace& place, StreamHeader* headers,
                std::vector<std::uint32_t>& payload) {
    const auto begin = static_cast<std::uint32_t>(payload.size());
    StreamHeader* header = headers;
    *header = pack_triangles(sublet, payload);
    header->base_value[0] = place.first_vertex;
    header->base_value[1] = place.first_triangle;
    header->bits =
        primitive_bits({sublet.triangle_count, sublet.vertex_count, place.first_vertex - place.meshlet_first_vertex,
                        place.first_triangle - place.meshlet_first_triangle});
    std::array<Components, shared::kSubletSize> table{};
    const std::span values(table.data(), sublet.vertex_count);
    const std::uint32_t streams_present = mesh.streams_present;
    for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
        if (!has_stream(type, streams_present)) continue;
        ++header;
        if (values.empty()) {
            *header = {{0, 0}, 0, begin};
            continue;
        }
        const StreamLayout layout = layout_of(type, mesh);
        for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
            values[v] = vertex_value(sublet, v, type, layout, streams_present);
        }
        const std::uint32_t sign = layout.has_tangent_sign ? take_tangent_sign(values) : 0;
        *header = pack_stream(values, layout, payload);
        header->bits |= sign << 20U;
    }
}

DecodedSublet decode_plain(const MeshView& mesh, std::uint32_t sublet) {
    DecodedSublet result;
    const StreamHeader* stream = &mesh.streams[std::size_t{sublet} * mesh.header->stream_count];
    const PrimitiveCounts counts = primitive_counts(*stream);
    result.triangle_count = counts.triangles;
    result.vertex_count = counts.vertices;
    for (std::uint32_t i = 0; i < counts.triangles; ++i) {
        const std::uint64_t bits =
            read_two_words(mesh.payload, std::size_t{stream->offset_in_words} * 32 + std::size_t{i} * kTriangleBits);
        for (std::uint32_t k = 0; k < 3; ++k) {
            result.triangles[i][k] = static_cast<std::uint8_t>(low_bits(bits >> (k * kIndexBits), kIndexBits));
        }
    }

    const std::uint32_t streams_present = mesh.header->streams_present;
    for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
        if (!has_stream(type, streams_present)) continue;
        ++stream;
        const StreamLayout layout = layout_of(type, *mesh.header);
        for (std::uint32_t v = 0; v < counts.vertices; ++v) {
            Components components = read_value(*stream, layout, mesh.payload, v);
            if (type == shared::kStreamPosition) {
                std::copy_n(components.begin(), 3, result.positions[v].begin());
                continue;
            }
            if (layout.has_tangent_sign) restore_tangent_sign(components, tangent_sign(*stream));
            components_to_words(components, layout,
                                result.attributes[v].data() + attribute_offset(type, streams_present));
        }
    }
    return result;
}

}  // namespace sublet::mesh
