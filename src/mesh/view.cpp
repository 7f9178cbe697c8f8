#include "mesh/view.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.h"
#include "mesh/compact_morphs.h"
#include "mesh/morphs.h"
#include "mesh/parallel.h"
#include "mesh/stream.h"

namespace sublet::mesh {

const StreamHeader* MeshView::stream(std::uint32_t sublet, std::uint32_t type) const {
    if (type >= shared::kStreamTypes || !has_stream(type, header->streams_present)) return nullptr;
    if (is_compact(*header)) return nullptr;
    return &streams[std::size_t{sublet} * header->stream_count + stream_rank(type, header->streams_present)];
}

MeshView mesh_view(const GeometryView& geometry, std::uint32_t index) {
    const MeshHeader& header = geometry.meshes[index];
    MeshView view;
    view.header = &header;
    view.sublet_bounds = geometry.sublet_bounds.subspan(header.first_sublet, header.sublet_count);
    view.meshlet_bounds = geometry.meshlet_bounds.subspan(header.first_meshlet, header.meshlet_count);
    view.streams = geometry.streams.subspan(header.first_stream, stream_header_count(header));
    view.payload = geometry.payload.subspan(header.payload_offset, header.payload_size);
    if (!morphs(header)) return view;
    view.morph = &*std::ranges::lower_bound(geometry.morphs, index, {}, &MorphMesh::mesh);
    view.morph_masks = geometry.morph_masks.subspan(view.morph->first_mask, morph_mask_count(header, *view.morph));
    view.morph_payload = geometry.morph_payload.subspan(view.morph->payload_offset, view.morph->payload_size);
    if (is_compact(*view.morph)) return view;
    // The masks of the next mesh that has streams begin where those of this one end.
    const std::size_t first = view.morph_masks.front().first_stream;
    std::size_t end = geometry.morph_streams.size();
    for (const MorphMesh* next = view.morph + 1; next < geometry.morphs.data() + geometry.morphs.size(); ++next) {
        if (is_compact(*next)) continue;
        end = geometry.morph_masks[next->first_mask].first_stream;
        break;
    }
    view.morph_streams = geometry.morph_streams.subspan(first, end - first);
    return view;
}

const StreamHeader* MeshView::morph_stream(std::uint32_t sublet, std::uint32_t target) const {
    if (is_compact(*morph)) return nullptr;
    const std::size_t masks = (std::size_t{morph->target_count} + 31) / 32;
    const MorphMask& mask = morph_masks[sublet * masks + target / 32];
    const std::uint32_t bit = 1U << target % 32;
    if ((mask.targets & bit) == 0) return nullptr;
    const auto before = static_cast<std::size_t>(std::popcount(mask.targets & (bit - 1)));
    const auto attributes = static_cast<std::size_t>(std::popcount(morph->attributes));
    return &morph_streams[mask.first_stream - morph_masks.front().first_stream + before * attributes];
}

std::uint32_t largest_joint(const MeshView& mesh, ThreadPool* pool) {
    constexpr std::size_t kSublets = 1024;
    const std::uint32_t streams = mesh.header->streams_present;
    std::vector<std::uint32_t> parts((mesh.header->sublet_count + kSublets - 1) / kSublets, 0);
    for_ranges(pool, mesh.header->sublet_count, kSublets, [&](std::size_t begin, std::size_t end) {
        std::uint32_t& largest = parts[begin / kSublets];
        for (std::size_t s = begin; s < end; ++s) {
            const DecodedSublet sublet = decode_sublet(mesh, static_cast<std::uint32_t>(s));
            for (const std::uint32_t type : {shared::kStreamBoneIndices, shared::kStreamJointIndices1}) {
                if (!has_stream(type, streams)) continue;
                const StreamLayout layout = stream_layout(type, streams);
                for (std::uint32_t v = 0; v < sublet.vertex_count; ++v) {
                    for (const std::int32_t joint : vertex_value(sublet, v, type, layout, streams)) {
                        largest = std::max(largest, static_cast<std::uint32_t>(joint));
                    }
                }
            }
        }
    });
    return parts.empty() ? 0 : *std::ranges::max_element(parts);
}

void relocate(std::uint32_t& offset, std::uint64_t by, const char* field) {
    const std::uint64_t sum = offset + by;
    if (sum > std::numeric_limits<std::uint32_t>::max()) {
        throw Error("geometry", field, std::to_string(sum) + " does not fit 32 bits: encode it as several files");
    }
    offset = static_cast<std::uint32_t>(sum);
}

std::vector<MorphMask> moved_masks(const GeometryView& geometry, std::size_t streams) {
    std::vector<MorphMask> masks(geometry.morph_masks.begin(), geometry.morph_masks.end());
    for (const MorphMesh& morph : geometry.morphs) {
        if (is_compact(morph)) continue;
        const std::uint64_t count = morph_mask_count(geometry.meshes[morph.mesh], morph);
        for (std::uint64_t i = 0; i < count; ++i) {
            relocate(masks[morph.first_mask + i].first_stream, streams, "morph_masks.first_stream");
        }
    }
    return masks;
}

void GeometryEnd::set_last(const GeometryView& geometry) {
    if (geometry.meshes.empty()) return;
    const MeshHeader& last = geometry.meshes.back();
    vertices = std::uint64_t{last.first_vertex} + last.vertex_count;
    triangles = std::uint64_t{last.first_triangle} + last.triangle_count;
    attributes = last.first_attribute + std::uint64_t{last.vertex_count} * last.attribute_stride;
}

GeometryEnd end_of(const GeometryView& geometry) {
    GeometryEnd end;
    for_each_array([](const char* /*name*/, std::uint64_t& count, const auto& array) { count = array.size(); }, end,
                   geometry);
    end.set_last(geometry);
    return end;
}

MovedGeometry::MovedGeometry(const GeometryView& from, const GeometryEnd& end)
    : view_(from),
      meshes_(from.meshes.begin(), from.meshes.end()),
      lod_meshlets_(from.lod_meshlets.begin(), from.lod_meshlets.end()),
      morphs_(from.morphs.begin(), from.morphs.end()),
      morph_masks_(moved_masks(from, end.morph_streams)) {
    for (MeshHeader& header : meshes_) {
        relocate(header.first_sublet, end.sublet_bounds, "first_sublet");
        relocate(header.first_meshlet, end.meshlet_bounds, "first_meshlet");
        relocate(header.first_stream, end.streams, "first_stream");
        relocate(header.payload_offset, end.payload, "payload_offset");
        relocate(header.first_vertex, end.vertices, "first_vertex");
        relocate(header.first_triangle, end.triangles, "first_triangle");
        relocate(header.first_attribute, end.attributes, "first_attribute");
    }
    for (MorphMesh& morph : morphs_) {
        relocate(morph.mesh, end.meshes, "morphs.mesh");
        relocate(morph.first_mask, end.morph_masks, "morphs.first_mask");
        relocate(morph.payload_offset, end.morph_payload, "morphs.payload_offset");
    }
    for (LodMeshlet& meshlet : lod_meshlets_) {
        for (std::uint32_t* group : {&meshlet.group, &meshlet.simplified_from}) {
            if (*group != shared::kNoLodGroup) relocate(*group, end.lod_groups, "lod_meshlets.group");
        }
    }
    // Where either has levels of detail, every meshlet has a record.
    if (!from.lod_meshlets.empty() || end.lod_meshlets != 0) {
        constexpr LodMeshlet kNone{shared::kNoLodGroup, shared::kNoLodGroup};
        lod_meshlets_.resize(from.meshlet_bounds.size(), kNone);
        lod_meshlets_.insert(lod_meshlets_.begin(), end.meshlet_bounds - end.lod_meshlets, kNone);
    }
    view_.meshes = meshes_;
    view_.lod_meshlets = lod_meshlets_;
    view_.morphs = morphs_;
    view_.morph_masks = morph_masks_;
}

void append(Geometry& to, const GeometryView& from) {
    const MovedGeometry moved(from, end_of(to.view()));
    for_each_array([](const char* /*name*/, auto& array,
                      const auto& added) { array.insert(array.end(), added.begin(), added.end()); },
                   to, moved.view());
}

}  // namespace sublet::mesh
