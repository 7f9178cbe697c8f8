// What sublets have, and what that takes, in either coding.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

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

// What morph targets take in a sublet.
struct TargetSizes {
    struct Stream {
        std::uint32_t attribute;  // of kMorphs
        StreamSize size;
    };
    std::vector<Stream> streams;    // of the targets that move it, one after the other
    std::uint64_t header_bits = 0;  // masks and headers; of the compact coding all that is not values
};

// Of validated geometry. Of nothing where no target moves the mesh.
[[nodiscard]] TargetSizes target_sizes(const MeshView& mesh, std::uint32_t sublet);

// Of validated geometry. Of a compact mesh, sizes of all sublets are what it takes but for the table of its components,
// padding, and what fills the blocks of meshlets up.
[[nodiscard]] SubletSizes sublet_sizes(const MeshView& mesh, std::uint32_t sublet);

// The sums of some sublets of a mesh.
struct RangeSizes {
    std::uint64_t triangles = 0, vertices = 0;
    std::array<std::uint64_t, shared::kStreamTypes> stream_bytes{};
    std::uint64_t header_bytes = 0;  // of the whole mesh with all that the sizes of sublets leave out
    std::uint64_t tangent_bits = 0;
};
// Of sublets [first, end).
[[nodiscard]] RangeSizes range_sizes(const MeshView& mesh, std::uint32_t first, std::uint32_t end);

// What morph targets take in some sublets of a mesh.
struct RangeTargetSizes {
    std::array<std::uint64_t, shared::kMorphAttributes> value_bytes{};
    std::uint64_t header_bytes = 0;  // of the whole mesh with all that the sizes of sublets leave out, but for records
};
[[nodiscard]] RangeTargetSizes range_target_sizes(const MeshView& mesh, std::uint32_t first, std::uint32_t end);

}  // namespace sublet::mesh
