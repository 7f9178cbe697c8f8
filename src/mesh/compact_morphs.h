// What morph targets add to meshes in the compact coding (shaders/shared/compact_morph.h, docs/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mesh/compact.h"
#include "mesh/mesh.h"
#include "mesh/sizes.h"

namespace sublet::mesh {

// Whether the morph targets of a mesh are in the compact coding. Those of compact meshes in older files are not.
[[nodiscard]] constexpr bool is_compact(const MorphMesh& morph) {
    return morph.place_bits != 0;
}

// Of one mesh: as many masks as it has in the plain coding, and the words of its payload.
struct CompactMorphs {
    std::vector<MorphMask> masks;
    std::vector<std::uint32_t> payload;
    std::uint32_t place_bits = 0;
};

// For each vertex of each sublet, of which each has kSubletSize: a number. Vertices that have the same one are moved
// alike by all targets of the mesh.
[[nodiscard]] std::vector<std::uint32_t> moved_alike(const MeshView& mesh, ThreadPool* pool = nullptr);

// `mesh`: a compact one, of whose vertices those that are stored once are moved alike. `source`: the same mesh, whose
// targets are plain.
[[nodiscard]] CompactMorphs encode_compact_morphs(const MeshView& mesh, const MeshView& source,
                                                  ThreadPool* pool = nullptr);

// What is wrong with the targets of a mesh, which is compact without a fault, and whose record is right; nothing where
// decoding them reads nothing outside of their payload.
[[nodiscard]] std::optional<CompactFault> find_compact_morph_fault(const MeshView& mesh, ThreadPool* pool = nullptr);

// target_sizes() of a mesh whose targets are in this coding.
[[nodiscard]] TargetSizes compact_target_sizes(const MeshView& mesh, std::uint32_t sublet);

}  // namespace sublet::mesh
