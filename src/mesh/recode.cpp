#include "mesh/recode.h"

#include <algorithm>

#include "mesh/compact.h"
#include "mesh/parallel.h"
#include "mesh/plain_coding.h"
#include "mesh/sizes.h"
#include "mesh/view.h"

namespace sublet::mesh {
namespace {

using shared::kSubletsPerMeshlet;

struct RecodedPart {
    std::vector<std::uint32_t> payload;
};

// Appends the streams of a compact mesh in the plain coding.
void append_plain(const MeshView& mesh, Geometry& out, ThreadPool* pool) {
    const MeshHeader& header = *mesh.header;
    if (header.sublet_count == 0) return;
    const std::size_t first = out.streams.size();
    out.streams.resize(first + std::size_t{header.sublet_count} * header.stream_count);
    const std::span streams = std::span(out.streams).subspan(first);
    constexpr std::size_t kGrain = kMeshletsPerTask * kSubletsPerMeshlet;
    std::vector<RecodedPart> parts((header.sublet_count + kGrain - 1) / kGrain);
    for_ranges(pool, header.sublet_count, kGrain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            const auto sublet = static_cast<std::uint32_t>(s);
            pack_plain(decode_sublet(mesh, sublet), header.streams_present, sublet_place(mesh, sublet),
                       streams.data() + s * header.stream_count, parts[begin / kGrain].payload);
        }
    });
    join_payload(parts, kGrain * header.stream_count, streams, out.payload);
}

// How far an array reaches.
std::uint32_t offset_of(std::size_t end, const char* field) {
    std::uint32_t out = 0;
    relocate(out, end, field);
    return out;
}

}  // namespace

Geometry recode(const GeometryView& geometry, Coding coding, ThreadPool* pool) {
    Geometry out;
    GeometryView rest = geometry;
    rest.streams = {};
    rest.payload = {};
    append(out, rest);
    for (std::uint32_t m = 0; m < out.meshes.size(); ++m) {
        const MeshView mesh = mesh_view(geometry, m);
        MeshHeader& header = out.meshes[m];
        header.first_stream = offset_of(out.streams.size(), "first_stream");
        header.payload_offset = offset_of(out.payload.size(), "payload_offset");
        const bool compact = coding == Coding::kCompact;
        if (is_compact(header) == compact) {
            out.streams.insert(out.streams.end(), mesh.streams.begin(), mesh.streams.end());
            out.payload.insert(out.payload.end(), mesh.payload.begin(), mesh.payload.end());
        } else if (compact) {
            const std::vector<std::uint32_t> words = encode_compact(
                *mesh.header, [&](std::uint32_t s) { return decode_sublet(mesh, s); }, pool);
            out.payload.insert(out.payload.end(), words.begin(), words.end());
            header.streams_present |= shared::kCompactBit;
        } else {
            append_plain(mesh, out, pool);
            header.streams_present &= ~shared::kCompactBit;
        }
        header.payload_size = offset_of(out.payload.size() - header.payload_offset, "payload_size");
    }
    return out;
}

bool has_other_coding(const GeometryView& geometry, Coding coding) {
    return std::ranges::any_of(
        geometry.meshes, [&](const MeshHeader& header) { return is_compact(header) != (coding == Coding::kCompact); });
}

}  // namespace sublet::mesh
