// One stream of one sublet: how up to 32 values of up to four components lie in payload words (docs/FORMAT.md,
// "Streams").
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/count_ones.h"
#include "mesh/view.h"

namespace sublet::mesh {

// The components of one value, sign-extended where the stream's type is signed; those beyond the type's count are 0.
using Components = std::array<std::int32_t, 4>;

// What one value of a stream of vertices is made of.
struct StreamLayout {
    std::uint32_t components = 0;      // 1 to 4
    std::uint32_t component_bits = 0;  // 8 or 16; kMostPositionBits where a stream of positions has more than 16
    bool is_signed = false;            // two's complement
    bool has_tangent_sign = false;     // in the lowest bit of component 3; a sublet of one sign leaves it out

    // The words that it decodes to.
    [[nodiscard]] constexpr std::uint32_t words() const { return (components * component_bits + 31) / 32; }
};

// A row of the table of streams (shaders/shared/mesh_format.h).
struct StreamType {
    std::uint32_t type = 0;   // its own number
    const char* name = "";    // in messages, reports and JSON
    std::uint32_t style = 0;  // the first that may carry it
    StreamLayout layout;      // with everything that is optional
};

inline constexpr std::array<StreamType, shared::kStreamTypes> kStreams = {{
#define SUBLET_ROW(constant, type, name, style, components, bits, is_signed) \
    {type, #name, shared::style, {components, bits, is_signed}},
    SUBLET_STREAMS(SUBLET_ROW)
#undef SUBLET_ROW
}};
static_assert(
    [] {
        for (std::uint32_t i = 0; i < kStreams.size(); ++i) {
            if (kStreams[i].type != i || kStreams[i].layout.words() > 2) return false;
        }
        return true;
    }(),
    "rows stand in the order of their numbers, and a value has one or two words");

// The bits of streams_present that say which types there are.
inline constexpr std::uint32_t kAllStreams = (1U << shared::kStreamTypes) - 1U;
static_assert(kAllStreams < shared::kHasTangentBit);

[[nodiscard]] constexpr bool has_stream(std::uint32_t type, std::uint32_t streams_present) {
    return (streams_present >> type & 1U) != 0;
}

// The layout of stream `type` (not kStreamPrimitive) in a mesh with `streams_present`.
[[nodiscard]] StreamLayout stream_layout(std::uint32_t type, std::uint32_t streams_present);

// Number of stream `type` among those present: its place among a sublet's headers.
[[nodiscard]] constexpr std::uint32_t stream_rank(std::uint32_t type, std::uint32_t streams_present) {
    return count_ones(streams_present & ((1U << type) - 1U));
}

// How many types are present (MeshHeader::stream_count).
[[nodiscard]] constexpr std::uint32_t stream_count(std::uint32_t streams_present) {
    return stream_rank(shared::kStreamTypes, streams_present);
}

// Words before those of stream `type` (kStreamNormalTangent or later) in a vertex's attributes.
[[nodiscard]] constexpr std::uint32_t attribute_offset(std::uint32_t type, std::uint32_t streams_present) {
    constexpr std::uint32_t kGeometry = (1U << shared::kStreamNormalTangent) - 1U;
    const std::uint32_t before = streams_present & ((1U << type) - 1U) & ~kGeometry;
    return count_ones(before) + count_ones(before & shared::kTwoWordStreams);
}

// Words of attributes that a vertex decodes to.
[[nodiscard]] constexpr std::uint32_t attribute_stride(std::uint32_t streams_present) {
    return attribute_offset(shared::kStreamTypes, streams_present);
}
// MeshHeader::attribute_stride: of what the decode pass writes of a vertex, which has a further word behind them where
// its position has more than 16 bits.
[[nodiscard]] constexpr std::uint32_t attribute_stride(const MeshHeader& header) {
    return attribute_stride(header.streams_present) + (has_wide_positions(header) ? 1 : 0);
}
// No mesh has both kinds of weights.
static_assert(attribute_stride(kAllStreams & ~(1U << shared::kStreamBoneWeights)) == kMaxAttributeWords);

// True when no value of `total_bits` bits touches more than two words, wherever in a run of such values it lies:
// values start at multiples of gcd(total, 32) within a word.
[[nodiscard]] bool is_readable_width(std::uint32_t total_bits);

// The decoded words of a value, and back. Bytes take their component's low 8 bits.
void components_to_words(const Components& components, const StreamLayout& layout, std::uint32_t* words);
[[nodiscard]] inline Components words_to_components(const std::uint32_t* words, const StreamLayout& layout) {
    Components components{};
    const bool bytes = layout.component_bits == 8;
    for (std::uint32_t i = 0; i < layout.components; ++i) {
        const std::uint32_t bits = bytes ? words[0] >> (8 * i) : words[i / 2] >> (16 * (i % 2));
        if (layout.is_signed) {
            components[i] = bytes ? static_cast<std::int8_t>(bits & 0xffU) : static_cast<std::int16_t>(bits & 0xffffU);
        } else {
            components[i] = static_cast<std::int32_t>(bits & (bytes ? 0xffU : 0xffffU));
        }
    }
    return components;
}

// The words of a position in a table of vertices: components' bits 0-15, and behind them bits 16-20 of all three.
[[nodiscard]] inline std::array<std::uint32_t, 2> position_to_words(const GridPoint& p) {
    const auto low = [&](std::size_t i) { return static_cast<std::uint32_t>(p[i]) & 0xffffU; };
    return {low(0) | low(1) << 16U, low(2) | shared::high_position_bits(p[0], p[1], p[2]) << 16U};
}
[[nodiscard]] inline GridPoint words_to_position(const std::uint32_t* words) {
    const std::uint32_t high = words[1] >> 16U;
    return {shared::position_component(words[0], high),
            shared::position_component(words[0] >> 16U, high >> shared::kHighPositionBits),
            shared::position_component(words[1], high >> (2 * shared::kHighPositionBits))};
}

// Of vertex `vertex` of a sublet: what stream `type` (not kStreamPrimitive) has, whose layout that is.
[[nodiscard]] inline Components vertex_value(const DecodedSublet& sublet, std::uint32_t vertex, std::uint32_t type,
                                             const StreamLayout& layout, std::uint32_t streams_present) {
    if (type == shared::kStreamPosition) {
        return {sublet.positions[vertex][0], sublet.positions[vertex][1], sublet.positions[vertex][2], 0};
    }
    return words_to_components(sublet.attributes[vertex].data() + attribute_offset(type, streams_present), layout);
}

// Of values with tangents (1 or more): leaves the sign bit out where all are equal. Returns kTangentSign...
[[nodiscard]] std::uint32_t take_tangent_sign(std::span<Components> values);
// Puts it back.
void restore_tangent_sign(Components& components, std::uint32_t sign);

// Packs values (1 to 32) at the end of `payload` and returns the header, whose offset_in_words is the size that
// `payload` had. Each component's base is its least value and its width what the greatest difference needs; one
// component is widened where the total would not be readable.
[[nodiscard]] StreamHeader pack_stream(std::span<const Components> values, const StreamLayout& layout,
                                       std::vector<std::uint32_t>& payload);

// Value `index` of a packed stream; `payload` is the mesh's.
[[nodiscard]] Components read_value(const StreamHeader& header, const StreamLayout& layout,
                                    std::span<const std::uint32_t> payload, std::uint32_t index);

// Width of component i, and of all of them.
[[nodiscard]] inline std::uint32_t component_width(const StreamHeader& header, std::uint32_t i) {
    return header.bits >> (5 * i) & 31U;
}
[[nodiscard]] std::uint32_t value_width(const StreamHeader& header);

// Bits of one element of a stream of any type: a triangle, or a value.
[[nodiscard]] std::uint32_t element_width(const StreamHeader& header, std::uint32_t type);

// The tangent sign bits of a header (kTangentSign...; 0 where the stream has no tangents).
[[nodiscard]] inline std::uint32_t tangent_sign(const StreamHeader& header) {
    return header.bits >> 20U & 3U;
}

// The fields of a kStreamPrimitive header.
struct PrimitiveCounts {
    std::uint32_t triangles = 0;
    std::uint32_t vertices = 0;
    std::uint32_t first_vertex_in_meshlet = 0;
    std::uint32_t first_triangle_in_meshlet = 0;
};
[[nodiscard]] PrimitiveCounts primitive_counts(const StreamHeader& header);
[[nodiscard]] std::uint32_t primitive_bits(const PrimitiveCounts& counts);

// Bits of a triangle, and of each of its indices.
inline constexpr std::uint32_t kIndexBits = 5;
inline constexpr std::uint32_t kTriangleBits = 15;

}  // namespace sublet::mesh
