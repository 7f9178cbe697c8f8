// What sublets have, and what that takes, in either coding.
#pragma once

#include <array>
#include <cstdint>

#include "mesh/mesh.h"
#include "mesh/plain_coding.h"
#include "mesh/stream.h"

namespace sublet::mesh {

// Triangles and vertices of a sublet, and what precedes them in its meshlet. Of validated geometry.
[[nodiscard]] PrimitiveCounts sublet_counts(const MeshView& mesh, std::uint32_t sublet);

// What precedes a sublet in its mesh, and its meshlet. Of validated geometry.
[[nodiscard]] SubletPlace sublet_place(const MeshView& mesh, std::uint32_t sublet);

// A stream of a sublet, in bits of the payload.
struct StreamSize {
    std::uint32_t elements = 0;  // triangles or vertices
    std::uint32_t width = 0;     // of a value that is stored, 0 to 64; of a triangle of strips: the mean, rounded up
    std::uint64_t bits = 0;      // of all of them, without what fills a word up
    std::uint64_t taken = 0;     // with that
};

struct SubletSizes {
    PrimitiveCounts counts;
    std::array<StreamSize, shared::kStreamTypes> streams;  // of nothing where the mesh has no such stream
    std::uint64_t header_bits =
        0;  // headers of streams; of the compact coding all that is neither triangles nor values
    std::uint64_t tangent_bits = 0;  // of the values of normals and tangents
};

// Of validated geometry. Of a compact mesh, sizes of all sublets are what it takes but for the table of its components,
// padding, and what fills the blocks of meshlets up.
[[nodiscard]] SubletSizes sublet_sizes(const MeshView& mesh, std::uint32_t sublet);

}  // namespace sublet::mesh
