#include "older_files.h"

#include <algorithm>

#include "mesh/bit_stream.h"
#include "mesh/recode.h"
#include "mesh/stream.h"
#include "mesh/view.h"
#include "shaders/shared/deform.h"

namespace sublet::mesh::test {
namespace {

// Of the stored weights of the second to fourth joint.
Components to_bytes(const Components& parts) {
    Components bytes{255, 0, 0, 0};
    for (std::size_t i = 1; i < 4; ++i) {
        bytes[i] = parts[i - 1] * 255 / static_cast<std::int32_t>(shared::kWeightParts);
        bytes[0] -= bytes[i];
    }
    return bytes;
}

std::uint32_t older_streams(const MeshHeader& header) {
    if (!deforms(header)) return header.streams_present;
    const std::uint32_t kept = shared::kHasTangentBit | ((1U << shared::kStreamJointWeights) - 1U);
    return (header.streams_present & kept) | 1U << shared::kStreamBoneWeights;
}

// A mesh alone, with its streams packed anew.
Geometry older_mesh(const MeshView& mesh) {
    Geometry out;
    MeshHeader& header = out.meshes.emplace_back(*mesh.header);
    header.streams_present = older_streams(header);
    header.stream_count = stream_count(header.streams_present);
    header.attribute_stride = attribute_stride(header.streams_present);
    header.first_sublet = header.first_meshlet = header.first_stream = header.payload_offset = 0;
    header.first_vertex = header.first_triangle = header.first_attribute = 0;
    out.sublet_bounds.assign(mesh.sublet_bounds.begin(), mesh.sublet_bounds.end());
    out.meshlet_bounds.assign(mesh.meshlet_bounds.begin(), mesh.meshlet_bounds.end());
    for (std::uint32_t s = 0; s < header.sublet_count; ++s) {
        const PrimitiveCounts counts = primitive_counts(*mesh.stream(s, shared::kStreamPrimitive));
        for (std::uint32_t type = 0; type < shared::kStreamTypes; ++type) {
            if (!has_stream(type, header.streams_present)) continue;
            if (const StreamHeader* same = mesh.stream(s, type)) {
                const std::uint32_t count = type == shared::kStreamPrimitive ? counts.triangles : counts.vertices;
                const auto words =
                    mesh.payload.subspan(same->offset_in_words, words_for(count, element_width(*same, type)));
                out.streams.push_back(*same);
                out.streams.back().offset_in_words = static_cast<std::uint32_t>(out.payload.size());
                out.payload.insert(out.payload.end(), words.begin(), words.end());
                continue;
            }
            std::vector<Components> values(counts.vertices);
            const StreamLayout layout = stream_layout(shared::kStreamJointWeights, mesh.header->streams_present);
            for (std::uint32_t v = 0; v < counts.vertices; ++v) {
                values[v] = to_bytes(read_value(*mesh.stream(s, shared::kStreamJointWeights), layout, mesh.payload, v));
            }
            out.streams.push_back(pack_stream(values, stream_layout(type, header.streams_present), out.payload));
        }
    }
    if (header.sublet_count > 0) out.payload.push_back(0);
    header.payload_size = static_cast<std::uint32_t>(out.payload.size());
    return out;
}

}  // namespace

Geometry with_bone_weights(const GeometryView& geometry) {
    const Geometry plain = recode(geometry, Coding::kPlain);
    Geometry out;
    for (std::uint32_t m = 0; m < geometry.meshes.size(); ++m) {
        append(out, older_mesh(mesh_view(plain.view(), m)).view());
    }
    validate(out.view(), "older geometry");
    return out;
}

}  // namespace sublet::mesh::test
