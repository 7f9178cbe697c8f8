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

// Calls visit(name, geometry.member...) for every array: of one Geometry, or of several with members of these names.
template <typename Visit, typename... Geometries>
void for_each_array(Visit visit, Geometries&&... geometry) {
    visit("meshes", geometry.meshes...);
    visit("sublet_bounds", geometry.sublet_bounds...);
    visit("meshlet_bounds", geometry.meshlet_bounds...);
    visit("streams", geometry.streams...);
    visit("payload", geometry.payload...);
    visit("morphs", geometry.morphs...);
    visit("morph_masks", geometry.morph_masks...);
    visit("morph_streams", geometry.morph_streams...);
    visit("morph_payload", geometry.morph_payload...);
    visit("lod_groups", geometry.lod_groups...);
    visit("lod_meshlets", geometry.lod_meshlets...);
}

inline constexpr std::size_t kGeometryArrays = 11;

// Where the arrays of a geometry end: the sizes of each, and what its last mesh ends at.
struct GeometryEnd {
    std::uint64_t meshes = 0, sublet_bounds = 0, meshlet_bounds = 0, streams = 0, payload = 0;
    std::uint64_t morphs = 0, morph_masks = 0, morph_streams = 0, morph_payload = 0;
    std::uint64_t lod_groups = 0, lod_meshlets = 0;
    std::uint64_t vertices = 0, triangles = 0, attributes = 0;

    // What the last mesh of a geometry ends at, if there is one.
    void set_last(const GeometryView& geometry);
};
[[nodiscard]] GeometryEnd end_of(const GeometryView& geometry);

// A geometry as it is behind another: with the first_* and payload offsets of its headers relocated, and where the
// other has no records of levels of detail but needs them, with these in front of its own. Throws Error when an offset
// would need more than 32 bits.
class MovedGeometry {
  public:
    MovedGeometry(const GeometryView& from, const GeometryEnd& end);
    MovedGeometry(const MovedGeometry&) = delete;
    MovedGeometry& operator=(const MovedGeometry&) = delete;
    // What to append to each array. Arrays without offsets are those of `from`.
    [[nodiscard]] const GeometryView& view() const { return view_; }

  private:
    GeometryView view_;
    std::vector<MeshHeader> meshes_;
    std::vector<LodMeshlet> lod_meshlets_;
    std::vector<MorphMesh> morphs_;
    std::vector<MorphMask> morph_masks_;
};

// Appends `from` to `to`, relocating the first_* and payload offsets of its headers. Throws Error, leaving `to` as it
// was, when an offset would need more than 32 bits.
void append(Geometry& to, const GeometryView& from);

}  // namespace sublet::mesh
