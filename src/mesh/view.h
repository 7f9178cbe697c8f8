// The memory-mappable view of encoded meshes: spans over arrays that lie in a file, or in memory, exactly as the GPU
// reads them. Random access: any sublet decodes in isolation (mesh/decode.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shaders/shared/mesh_format.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

using shared::Bound;
using shared::MeshHeader;
using shared::StreamHeader;

// The shared arrays of all meshes of a file (or of one encode). Non-owning.
struct GeometryView {
    std::span<const MeshHeader> meshes;
    std::span<const Bound> sublet_bounds;
    std::span<const Bound> meshlet_bounds;
    std::span<const StreamHeader> streams;
    std::span<const std::uint32_t> payload;
};

// The same arrays, owned.
struct Geometry {
    std::vector<MeshHeader> meshes;
    std::vector<Bound> sublet_bounds;
    std::vector<Bound> meshlet_bounds;
    std::vector<StreamHeader> streams;
    std::vector<std::uint32_t> payload;

    [[nodiscard]] GeometryView view() const { return {meshes, sublet_bounds, meshlet_bounds, streams, payload}; }
};

// One mesh of a GeometryView: its own slices of the shared arrays.
struct MeshView {
    const MeshHeader* header = nullptr;
    std::span<const Bound> sublet_bounds;    // header->sublet_count
    std::span<const Bound> meshlet_bounds;   // header->meshlet_count
    std::span<const StreamHeader> streams;   // header->sublet_count * header->stream_count
    std::span<const std::uint32_t> payload;  // header->payload_size words

    // The header of stream `type` (shared::kStream...) of `sublet`; null when the mesh does not carry that stream.
    [[nodiscard]] const StreamHeader* stream(std::uint32_t sublet, std::uint32_t type) const;
};

// The slices of mesh `index` (< geometry.meshes.size()). The geometry must have passed `validate`.
[[nodiscard]] MeshView mesh_view(const GeometryView& geometry, std::uint32_t index);

// Checks every count, offset, width and index of `geometry`, once: after it, decoding reads nothing outside the arrays,
// yields no vertex index outside its sublet, and every float of it and of decoded positions and texture coordinates is
// finite. Meshes must lie in the arrays one after the other, without gaps. Linear in the size of the arrays; shares
// large meshes among the threads of `pool`, where there is one. Throws Error(source, field, ...) naming the first fault
// ("meshes[0].sublets[2].position.bits"); `source` is the name to blame, a file's path as a rule.
void validate(const GeometryView& geometry, const std::string& source, ThreadPool* pool = nullptr);

// Appends `from` to `to`, relocating the first_* and payload offsets of its headers. Throws Error, leaving `to` as it
// was, when an offset would need more than 32 bits.
void append(Geometry& to, const GeometryView& from);

}  // namespace sublet::mesh
