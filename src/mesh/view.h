// Geometry as a whole: checked, and put together.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// Checks every count, offset, width and index of `geometry`, once: after it, decoding reads nothing outside the arrays,
// yields no vertex index outside its sublet, and every float of it and of decoded positions and texture coordinates is
// finite. Meshes must lie in the arrays one after the other, without gaps. Linear in the size of the arrays; shares
// large meshes among the threads of `pool`, where there is one. Throws Error(source, field, ...) naming the first fault
// ("meshes[0].sublets[2].position.bits"); `source` is the name to blame, a file's path as a rule.
void validate(const GeometryView& geometry, const std::string& source, ThreadPool* pool = nullptr);

// How many stream headers a mesh has.
[[nodiscard]] inline std::size_t stream_header_count(const MeshHeader& header) {
    return is_compact(header) ? 0 : std::size_t{header.sublet_count} * header.stream_count;
}

// The largest number of a joint that a vertex of the mesh has, with a weight or not. Of validated geometry; `mesh`
// deforms. Linear in its vertices, shared among the threads of `pool`, where there is one.
[[nodiscard]] std::uint32_t largest_joint(const MeshView& mesh, ThreadPool* pool = nullptr);

// Adds `by` to an offset of a header, which has 32 bits. Throws Error naming `field` where the sum needs more.
void relocate(std::uint32_t& offset, std::uint64_t by, const char* field);

// The masks of morph targets, as they are where so many stream headers of others precede the geometry's.
[[nodiscard]] std::vector<MorphMask> moved_masks(const GeometryView& geometry, std::size_t streams);

// Appends `from` to `to`, relocating the first_* and payload offsets of its headers. Throws Error, leaving `to` as it
// was, when an offset would need more than 32 bits.
void append(Geometry& to, const GeometryView& from);

}  // namespace sublet::mesh
