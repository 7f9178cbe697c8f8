// The compact coding of a mesh: the same sublets as the plain one, to the bit, in half the bytes, and still decoded
// from anywhere (shaders/shared/compact.h, docs/FORMAT.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

// The words of a mesh that has such streams and so many sublets, which `sublet` gives; it is called on the threads of
// `pool`, where there is one. `alike`: of each sublet kSubletSize numbers; vertices whose numbers differ are not stored
// as one, whatever their streams have. Empty where streams alone tell. Empty without sublets. They are:
//   - one for each component of its streams but the primitives', in their order (CompactStream);
//   - for each meshlet its record: the word where its block begins, its first vertex, its first triangle;
//   - the blocks, each from a new word on;
//   - a word of padding.
[[nodiscard]] std::vector<std::uint32_t> encode_compact(const MeshHeader& header,
                                                        const std::function<DecodedSublet(std::uint32_t)>& sublet,
                                                        ThreadPool* pool = nullptr,
                                                        std::span<const std::uint32_t> alike = {});

struct CompactFault {
    std::string field;  // "sublets[3]"
    std::string text;
};

// What is wrong with words from elsewhere, for a mesh whose header is right; nothing where decoding them reads nothing
// outside of them, and gives indices of vertices that there are and positions of header.position_bits.
[[nodiscard]] std::optional<CompactFault> find_compact_fault(const MeshHeader& header,
                                                             std::span<const std::uint32_t> words,
                                                             ThreadPool* pool = nullptr);

// Its two halves: what lies outside of blocks, in time that does not depend on these; and blocks, once there is no
// fault in the former.
[[nodiscard]] std::optional<CompactFault> find_record_fault(const MeshHeader& header,
                                                            std::span<const std::uint32_t> words);
[[nodiscard]] std::optional<CompactFault> find_block_fault(const MeshHeader& header,
                                                           std::span<const std::uint32_t> words, ThreadPool* pool);

// A meshlet's block, and what records say of it.
struct CompactBlock {
    std::uint32_t meshlet = 0;  // of the mesh
    std::uint32_t sublets = 0, vertices = 0, triangles = 0;
    std::uint32_t block = 0, words = 0;  // where it lies
};

// Of words whose records have no fault.
[[nodiscard]] CompactBlock compact_block(const MeshHeader& header, std::span<const std::uint32_t> words,
                                         std::uint32_t meshlet);

// The fault of a block alone. `words`: those of the mesh for its components, and then anything that has the block and
// at least a word behind it.
[[nodiscard]] std::optional<CompactFault> find_block_fault(const MeshHeader& header,
                                                           std::span<const std::uint32_t> words,
                                                           const CompactBlock& block);

// Sublet `sublet` (< header.sublet_count) of words without a fault.
[[nodiscard]] DecodedSublet decode_compact(const MeshHeader& header, std::span<const std::uint32_t> words,
                                           std::uint32_t sublet);

}  // namespace sublet::mesh
