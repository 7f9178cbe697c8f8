// From float attributes to the integer words that a decoder gives back, and from equal vertices to one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "mesh/encode.h"
#include "mesh/grid.h"
#include "mesh/morphs.h"

namespace sublet::mesh {

// The integers of vertices: `stride` words each, first the position (position_to_words()), then
// the attribute words of the streams present, as they decode, then what morph targets add (MorphLayout): vertices that
// targets move differently differ.
struct VertexTable {
    std::uint32_t stride = 2;
    std::uint32_t streams_present = 0;
    MorphLayout morphs;
    std::vector<std::uint32_t> words;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(words.size() / stride); }
    [[nodiscard]] const std::uint32_t* vertex(std::uint32_t i) const { return words.data() + std::size_t{i} * stride; }
    [[nodiscard]] GridPoint position(std::uint32_t i) const { return words_to_position(vertex(i)); }
    // morphs.words() of them.
    [[nodiscard]] const std::uint32_t* morph_words(std::uint32_t i) const {
        return vertex(i) + stride - morphs.words();
    }
};

// Axis-aligned box of floats; empty while min > max.
struct FloatBox {
    std::array<float, 3> min{};
    std::array<float, 3> max{};
    bool empty = true;

    void add(const std::array<float, 3>& point);
    void add(const FloatBox& box);
};

// The style a mesh gets, and the streams it then carries. Tangents without normals are left out: nothing could use
// them.
[[nodiscard]] std::uint32_t choose_style(const MeshInput& mesh, Style style);
[[nodiscard]] std::uint32_t choose_streams(const MeshInput& mesh, std::uint32_t style);

// The joints that move a vertex, as they are stored: strongest first, of equal ones in the order that they came in.
struct Influences {
    std::array<std::uint16_t, 8> joints{};  // the first one again where the weight is 0: its stream stays narrow
    std::array<std::uint16_t, 8> parts{};   // weights, which sum to shared::kWeightParts
};

// Fractions of parts are dropped, and what is missing goes to those that lost most. Negative weights count as 0;
// without any weight, or with one that is not finite, the first joint takes all.
[[nodiscard]] Influences quantize_influences(const std::array<std::uint16_t, 8>& joints,
                                             const std::array<float, 8>& weights);

// Those of vertex `i`; a mesh without `joints1` has four.
[[nodiscard]] Influences quantize_influences(const MeshInput& mesh, std::size_t i);

// The attribute word of a normal and, where given, a tangent.
[[nodiscard]] std::uint32_t quantize_normal(const std::array<float, 3>& normal);
[[nodiscard]] std::uint32_t quantize_normal_tangent(const std::array<float, 3>& normal,
                                                    const std::array<float, 4>& tangent);

// Four numbers in [0, 1] (others are clamped) as bytes.
[[nodiscard]] std::uint32_t quantize_unorm8(const std::array<float, 4>& values);

// All vertices of `mesh` for which `used` holds; the words of others stay 0. Throws Error on a NaN or infinite
// attribute, naming it `field`.attribute[index]. Where `streams_present` lacks shared::kStreamJointWeights1, no used
// vertex has more than four influences.
[[nodiscard]] VertexTable quantize_vertices(const MeshInput& mesh, const std::vector<std::uint8_t>& used,
                                            std::uint32_t streams_present, const PositionGrid& grid,
                                            const UvGrid& uv_grid, const MorphLayout& morphs, const std::string& name,
                                            const std::string& field, ThreadPool* pool);

// Makes one vertex of those equal in every word, and sorts them by their words, position first; unused ones go. What
// follows then depends on the vertices alone, not on the order they came in: what was decoded encodes to the same
// bytes. Returns the new number of each old vertex, ~0 for those unused.
[[nodiscard]] std::vector<std::uint32_t> weld_vertices(VertexTable& table, const std::vector<std::uint8_t>& used,
                                                       ThreadPool* pool = nullptr);

}  // namespace sublet::mesh
