// Geometry as a whole: checked, and put together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/compact.h"
#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

enum class Validate : std::uint8_t { kAll, kTables };

// Checks every count, offset, width and index of `geometry`, once: after it, decoding reads nothing outside the arrays,
// yields no vertex index outside its sublet, and every float of it and of decoded positions and texture coordinates is
// finite. Meshes must lie in the arrays one after the other, without gaps. Linear in the size of the arrays; shares
// large meshes among the threads of `pool`, where there is one. Throws Error(source, field, ...) naming the first fault
// ("meshes[0].sublets[2].position.bits"); `source` is the name to blame, a file's path as a rule.
// With `kTables` it leaves out what validate_groups() looks at, and reads nothing of that.
void validate(const GeometryView& geometry, const std::string& source, ThreadPool* pool = nullptr,
              Validate what = Validate::kAll);

// Whether a mesh can come group by group: its groups of levels of detail, by themselves, are blocks of payload and
// bounds of sublets.
[[nodiscard]] bool comes_in_groups(const GeometryView& geometry, const MeshHeader& mesh);

// The blocks and bounds of sublets of a mesh that can come in groups, once validate() found the tables right.
void validate_groups(const GeometryView& geometry, std::uint32_t mesh, const std::string& source,
                     ThreadPool* pool = nullptr);
// The same of one meshlet's block, of words that find_block_fault() takes, and of sublets. All three throw Error as
// validate() does; `mesh_index` is the number of the mesh to blame.
void validate_block(const MeshHeader& mesh, std::size_t mesh_index, const std::string& source,
                    std::span<const std::uint32_t> words, const CompactBlock& block);
void validate_bounds(std::span<const Bound> sublets, std::size_t mesh_index, const std::string& source);

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
