// Morph targets: what they add to vertices, as integers, and how the encoder packs it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "mesh/grid.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"

namespace sublet {
class ThreadPool;
}

namespace sublet::mesh {

struct VertexTable;
struct Clusters;

// What targets may move, in the order of the bits of MorphMesh::attributes.
struct MorphAttribute {
    const char* name;  // of the member of MorphInput
    const char* stream_name;
    StreamLayout layout;
};
inline constexpr std::array<MorphAttribute, shared::kMorphAttributes> kMorphs = {{
    {"positions", "morph_positions", {3, 16, true, false}},
    {"normals", "morph_normals", {3, 8, true, false}},
    {"tangents", "morph_tangents", {3, 8, true, false}},
}};

// Attribute `attribute` of a target: of MorphInput or MorphArrays.
template <typename Morph>
[[nodiscard]] auto& morph_values(Morph& morph, std::uint32_t attribute) {
    return attribute == 0 ? morph.positions : attribute == 1 ? morph.normals : morph.tangents;
}

// "morphs[3].normals".
[[nodiscard]] std::string morph_field(std::size_t target, std::uint32_t attribute);

// The largest size of a component of what targets add, for each attribute.
using MorphSizes = std::array<float, shared::kMorphAttributes>;
[[nodiscard]] MorphSizes largest(const MorphSizes& a, const MorphSizes& b);

// For each attribute: what is added is 2^exponent times integers.
using MorphExponents = std::array<int, shared::kMorphAttributes>;

// Positions are added to on their own grid, which has `position_exponent`, normals and tangents in steps of 1/64; or in
// the least steps beyond at which all of `sizes` fit 16 bits, and 8.
[[nodiscard]] MorphExponents choose_morph_exponents(const MorphSizes& sizes, int position_exponent);

// The words of a vertex that hold what all targets add, one target after the other: of each attribute that some target
// of the mesh moves those that a stream's value has.
class MorphLayout {
  public:
    MorphLayout() = default;
    // Of a mesh with these sizes. Where they all round to 0 there are no targets.
    MorphLayout(std::size_t targets, const MorphSizes& sizes, const MorphExponents& exponents);
    // As a file has it.
    explicit MorphLayout(const MorphMesh& morph);

    [[nodiscard]] std::uint32_t target_count() const { return target_count_; }
    [[nodiscard]] std::uint32_t attributes() const { return attributes_; }
    [[nodiscard]] const MorphExponents& exponents() const { return exponents_; }
    // Of all targets.
    [[nodiscard]] std::uint32_t words() const { return target_count_ * words_per_target_; }
    // Where the words of an attribute that is there begin.
    [[nodiscard]] std::uint32_t offset(std::uint32_t target, std::uint32_t attribute) const {
        return target * words_per_target_ + offsets_[attribute];
    }

    // Fills words() words with what targets add to vertex `vertex`, rounded to the nearest integers.
    void quantize(std::span<const MorphInput> morphs, std::size_t vertex, std::uint32_t* words) const;

    // Whether all targets add the same to the positions of two vertices, given by their words.
    [[nodiscard]] bool moves_alike(const std::uint32_t* a, const std::uint32_t* b) const;

  private:
    void place();

    std::uint32_t target_count_ = 0;
    std::uint32_t attributes_ = 0;
    std::uint32_t words_per_target_ = 0;
    MorphExponents exponents_{};
    std::array<std::uint32_t, shared::kMorphAttributes> offsets_{};
};

// Adds the morph targets of the one mesh of `out`, which pack_mesh() made of the same: its MorphMesh, masks, streams
// and payload, where targets move it.
void pack_morphs(const Clusters& clusters, const VertexTable& vertices, Geometry& out, ThreadPool* pool);

// Masks of a mesh: some for each sublet.
[[nodiscard]] inline std::uint64_t morph_mask_count(const MeshHeader& header, const MorphMesh& morph) {
    return std::uint64_t{header.sublet_count} * ((std::uint64_t{morph.target_count} + 31) / 32);
}

// Calls visit(attribute, header, vertices) for each stream of a mesh's morph targets, vertices being those of its
// sublet.
template <typename Visit>
void for_each_morph_stream(const MeshView& mesh, const Visit& visit) {
    if (mesh.morph == nullptr) return;
    for (std::uint32_t sublet = 0; sublet < mesh.header->sublet_count; ++sublet) {
        const std::uint32_t vertices = sublet_counts(mesh, sublet).vertices;
        for (std::uint32_t t = 0; t < mesh.morph->target_count; ++t) {
            const StreamHeader* header = mesh.morph_stream(sublet, t);
            for (std::uint32_t a = 0; a < shared::kMorphAttributes && header != nullptr; ++a) {
                if ((mesh.morph->attributes >> a & 1U) != 0) visit(a, *header++, vertices);
            }
        }
    }
}

// Streams of a target in a sublet that it moves.
[[nodiscard]] inline std::uint32_t morph_stream_count(const MorphMesh& morph) {
    return static_cast<std::uint32_t>(std::popcount(morph.attributes));
}

}  // namespace sublet::mesh
