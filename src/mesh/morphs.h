// Morph targets: what they add to vertices, as integers, and how the encoder packs it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "mesh/grid.h"
#include "mesh/sizes.h"
#include "mesh/stream.h"
#include "shaders/shared/compact.h"

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
// and payload, where targets move it; in the plain coding.
void pack_morphs(const Clusters& clusters, const VertexTable& vertices, Geometry& out, ThreadPool* pool);

// Masks of a mesh: some for each sublet.
[[nodiscard]] inline std::uint64_t morph_mask_count(const MeshHeader& header, const MorphMesh& morph) {
    return std::uint64_t{header.sublet_count} * ((std::uint64_t{morph.target_count} + 31) / 32);
}

// The same of a mesh of a file, in the plain coding.
void append_plain_morphs(const MeshView& mesh, Geometry& out, ThreadPool* pool);

// What morph targets add to a sublet of a mesh that they move, in either coding.
class SubletMorphs {
  public:
    SubletMorphs(const MeshView& mesh, std::uint32_t sublet);

    [[nodiscard]] std::uint32_t vertices() const { return vertices_; }

    // As decode_morph().
    [[nodiscard]] std::optional<DecodedMorph> decode(std::uint32_t target) const;

    // Where what is added to a vertex is stored: a sublet of the mesh, times kSubletSize, plus a number there. In the
    // compact coding that is the sublet that stores the vertex, and its number among those that it stores.
    [[nodiscard]] std::uint32_t place(std::uint32_t vertex) const { return places_[vertex]; }

  private:
    [[nodiscard]] std::optional<DecodedMorph> decode_plain(std::uint32_t target) const;
    [[nodiscard]] std::optional<DecodedMorph> decode_compact(std::uint32_t target) const;

    MeshView mesh_;
    std::uint32_t sublet_;
    std::uint32_t vertices_;
    std::array<std::uint32_t, shared::kSubletSize> places_{};
    std::array<shared::CompactPredictors, shared::kSubletSize> by_{};  // in the compact coding
};

// By what what is added to a vertex is predicted: its place on the grid, less that of vertex 0 of the sublet that
// stores it.
[[nodiscard]] shared::CompactPredictors morph_predictors(const DecodedSublet& sublet, std::uint32_t vertex,
                                                         const DecodedSublet& storing);

// The components of attribute `attribute` of a vertex.
[[nodiscard]] Components morph_components(const DecodedMorph& morph, std::uint32_t attribute, std::uint32_t vertex);

// Whether a target moves a vertex.
[[nodiscard]] bool moves(const DecodedMorph& morph, std::uint32_t vertex);

// Streams of a target in a sublet that it moves.
[[nodiscard]] inline std::uint32_t morph_stream_count(const MorphMesh& morph) {
    return static_cast<std::uint32_t>(std::popcount(morph.attributes));
}

}  // namespace sublet::mesh
