#include "mesh/recode.h"

#include <algorithm>

#include "base/error.h"
#include "mesh/compact.h"
#include "mesh/compact_morphs.h"
#include "mesh/morphs.h"
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
            pack_plain(decode_sublet(mesh, sublet), header, sublet_place(mesh, sublet),
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

// Whether the mesh is in that coding, with its morph targets.
bool has_coding(const MeshView& mesh, Coding coding) {
    if (coding == Coding::kPlain) return !is_compact(*mesh.header);
    return is_compact(*mesh.header) && (mesh.morph == nullptr || is_compact(*mesh.morph));
}

// Appends the morph targets of mesh `index` of `out`, which is in that coding; `mesh`: the same in another.
void append_recoded_morphs(const MeshView& mesh, std::uint32_t index, Coding coding, Geometry& out, ThreadPool* pool) {
    if (coding == Coding::kPlain) {
        append_plain_morphs(mesh, out, pool);
        out.morphs.back().mesh = index;
        return;
    }
    MeshView recoded;
    recoded.header = &out.meshes[index];
    recoded.payload = std::span(out.payload).subspan(recoded.header->payload_offset, recoded.header->payload_size);
    const CompactMorphs morphs = encode_compact_morphs(recoded, mesh, pool);
    MorphMesh& morph = out.morphs.emplace_back(*mesh.morph);
    morph.mesh = index;
    morph.place_bits = morphs.place_bits;
    morph.first_mask = offset_of(out.morph_masks.size(), "morphs.first_mask");
    morph.payload_offset = offset_of(out.morph_payload.size(), "morphs.payload_offset");
    morph.payload_size = offset_of(morphs.payload.size(), "morphs.payload_size");
    out.morph_masks.insert(out.morph_masks.end(), morphs.masks.begin(), morphs.masks.end());
    out.morph_payload.insert(out.morph_payload.end(), morphs.payload.begin(), morphs.payload.end());
}

// Appends those of a mesh as they are.
void append_morphs(const MeshView& mesh, std::uint32_t index, Geometry& out) {
    MorphMesh& morph = out.morphs.emplace_back(*mesh.morph);
    morph.mesh = index;
    morph.first_mask = offset_of(out.morph_masks.size(), "morphs.first_mask");
    morph.payload_offset = offset_of(out.morph_payload.size(), "morphs.payload_offset");
    const std::uint32_t streams = is_compact(morph) ? 0 : mesh.morph_masks.front().first_stream;
    for (MorphMask mask : mesh.morph_masks) {
        mask.first_stream -= streams;
        if (!is_compact(morph)) relocate(mask.first_stream, out.morph_streams.size(), "morph_masks.first_stream");
        out.morph_masks.push_back(mask);
    }
    out.morph_streams.insert(out.morph_streams.end(), mesh.morph_streams.begin(), mesh.morph_streams.end());
    out.morph_payload.insert(out.morph_payload.end(), mesh.morph_payload.begin(), mesh.morph_payload.end());
}

}  // namespace

void require_plain(const GeometryView& geometry, const std::string& name) {
    for (std::size_t m = 0; m < geometry.meshes.size(); ++m) {
        if (!has_wide_positions(geometry.meshes[m])) continue;
        throw Error(name, "meshes[" + std::to_string(m) + "].position_bits",
                    std::to_string(geometry.meshes[m].position_bits) + ": the plain coding holds at most " +
                        std::to_string(kMostPlainPositionBits));
    }
}

Geometry recode(const GeometryView& geometry, Coding coding, ThreadPool* pool) {
    Geometry out;
    GeometryView rest = geometry;
    rest.streams = {};
    rest.payload = {};
    rest.morphs = {};
    rest.morph_masks = {};
    rest.morph_streams = {};
    rest.morph_payload = {};
    append(out, rest);
    for (std::uint32_t m = 0; m < out.meshes.size(); ++m) {
        const MeshView mesh = mesh_view(geometry, m);
        MeshHeader& header = out.meshes[m];
        header.first_stream = offset_of(out.streams.size(), "first_stream");
        header.payload_offset = offset_of(out.payload.size(), "payload_offset");
        const bool keeps = has_coding(mesh, coding);
        if (keeps) {
            out.streams.insert(out.streams.end(), mesh.streams.begin(), mesh.streams.end());
            out.payload.insert(out.payload.end(), mesh.payload.begin(), mesh.payload.end());
        } else if (coding == Coding::kCompact) {
            const std::vector<std::uint32_t> alike =
                mesh.morph == nullptr ? std::vector<std::uint32_t>() : moved_alike(mesh, pool);
            const std::vector<std::uint32_t> words = encode_compact(
                *mesh.header, [&](std::uint32_t s) { return decode_sublet(mesh, s); }, pool, alike);
            out.payload.insert(out.payload.end(), words.begin(), words.end());
            header.streams_present |= shared::kCompactBit;
        } else {
            append_plain(mesh, out, pool);
            header.streams_present &= ~shared::kCompactBit;
        }
        header.payload_size = offset_of(out.payload.size() - header.payload_offset, "payload_size");
        if (mesh.morph == nullptr) continue;
        if (keeps) {
            append_morphs(mesh, m, out);
        } else {
            append_recoded_morphs(mesh, m, coding, out, pool);
        }
    }
    return out;
}

bool is_recoded(const GeometryView& geometry, Coding coding) {
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        if (!has_coding(mesh_view(geometry, m), coding)) return false;
    }
    return true;
}

bool has_other_coding(const GeometryView& geometry, Coding coding) {
    return std::ranges::any_of(
        geometry.meshes, [&](const MeshHeader& header) { return is_compact(header) != (coding == Coding::kCompact); });
}

}  // namespace sublet::mesh
