// What the compact coding is made of.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/bit_stream.h"
#include "mesh/mesh.h"
#include "mesh/stream.h"
#include "shaders/shared/compact.h"

namespace sublet::mesh {

// Components of the streams that the primitives' is followed by: how many each has, and where they begin in the table.
struct ComponentTable {
    std::array<StreamLayout, shared::kStreamTypes> layout{};
    std::array<std::uint32_t, shared::kStreamTypes> first{};
    std::uint32_t count = 0;

    explicit ComponentTable(std::uint32_t streams_present) {
        for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
            if (!has_stream(type, streams_present)) continue;
            layout[type] = stream_layout(type, streams_present);
            first[type] = count;
            count += layout[type].components;
        }
    }
};

// What a component may have: of positions of more than 16 bits, and of all else.
struct CompactLimits {
    std::uint32_t width, base_bits;  // most bits of a difference, and of a base from the least one on
    std::int32_t least_base, most_base;
};
inline constexpr CompactLimits kNarrowLimits{16, 17, -32768, 65535};
inline constexpr CompactLimits kWideLimits{kMostPositionBits, 22, -(1 << 20), (1 << 21) - 1};

// Of the components of a stream of a mesh.
[[nodiscard]] inline const CompactLimits& compact_limits(const MeshHeader& header, std::uint32_t type) {
    return type == shared::kStreamPosition && has_wide_positions(header) ? kWideLimits : kNarrowLimits;
}

// A BitWriter that knows how far it is.
class CountingWriter {
  public:
    explicit CountingWriter(std::vector<std::uint32_t>& words) : writer_(words) {}

    void write(std::uint32_t value, std::uint32_t bits) {
        writer_.write(value, bits);
        bits_ += bits;
    }
    void flush() { writer_.flush(); }
    [[nodiscard]] std::size_t bits() const { return bits_; }

  private:
    BitWriter writer_;
    std::size_t bits_ = 0;
};

// Reads what it wrote, in order.
class CountingReader {
  public:
    // A word follows the last bit.
    explicit CountingReader(std::span<const std::uint32_t> words) : words_(words) {}

    // 0 to 32 bits.
    std::uint32_t read(std::uint32_t bits) {
        const std::uint32_t value = low_bits(read_two_words(words_, bit_), bits);
        bit_ += bits;
        return value;
    }
    void copy(std::uint32_t bits, CountingWriter& to) {
        for (; bits > 32; bits -= 32) to.write(read(32), 32);
        to.write(read(bits), bits);
    }

  private:
    std::span<const std::uint32_t> words_;
    std::size_t bit_ = 0;
};

// Fields in the order in which they are read from the end of a sublet back.
struct BackwardFields {
    struct Field {
        std::uint32_t value, bits;
    };
    // The most: a head, a mask, vertices that are stored elsewhere, starts, turns, fresh occurrences in two, and all
    // that can be said of 62 others.
    std::array<Field, 6 + shared::kSubletSize + 2 * 62> fields;
    std::uint32_t count = 0;
    std::uint32_t bits = 0;

    void add(std::uint32_t value, std::uint32_t width) {
        fields[count++] = {value, width};
        bits += width;
    }
    void write(CountingWriter& writer) const {
        for (std::uint32_t i = count; i-- > 0;) writer.write(fields[i].value, fields[i].bits);
    }
};

// The triangles of a sublet.
struct Topology {
    std::uint32_t head = 0;  // shared::kCompactStartsMask, ...
    BackwardFields fields;   // without it
};

// Of triangles (1 to kSubletSize) of `vertices` vertices: as strips, or as indices where they are not in the order of
// order_as_strips(), or that takes less.
[[nodiscard]] Topology plan_topology(std::span<const std::array<std::uint8_t, 3>> triangles, std::uint32_t vertices);

// A component of a stream of a sublet.
struct ComponentPlan {
    std::uint32_t kind = shared::kCompactPlain;
    std::int32_t base = 0;
    std::uint32_t width = 0;   // of a difference
    std::uint32_t slopes = 0;  // as they are stored
    std::uint32_t palette_size = 0;
    std::array<std::uint32_t, shared::kSubletSize> palette{};

    // Of a value.
    [[nodiscard]] std::uint32_t value_width() const {
        return kind == shared::kCompactPalette ? static_cast<std::uint32_t>(std::bit_width(palette_size - 1)) : width;
    }
};

// A stream of a sublet, ready to be written.
struct StreamPlan {
    std::uint32_t mode = shared::kCompactEach;
    std::uint32_t stored = 0;                     // bit i: own vertex i has a value that is stored
    std::uint32_t own = 0;                        // vertices
    std::uint32_t axis = shared::kCompactNoAxis;  // of positions
    std::uint32_t sign = 0;                       // of tangents
    std::array<ComponentPlan, 4> components{};
    std::array<std::uint8_t, shared::kSubletSize> copy{};  // of own vertex i: the stored value
    // What is stored: differences, or their numbers in a palette.
    std::array<std::array<std::uint32_t, 4>, shared::kSubletSize> values{};
};

// By what other components are predicted, of each own vertex.
using Predictors = std::array<shared::CompactPredictors, shared::kSubletSize>;

// Finds the way to store a stream that takes fewest bits. `values`: of the own vertices (1 to kSubletSize).
[[nodiscard]] StreamPlan plan_positions(std::span<const Components> values, const CompactLimits& limits,
                                        Predictors& predictors);
[[nodiscard]] StreamPlan plan_stream(std::span<const Components> values, const StreamLayout& layout, bool has_normal,
                                     const Predictors& predictors);

// How a mesh stores a component: its word in the table.
struct ComponentRange {
    std::int32_t least_base = INT32_MAX, greatest_base = INT32_MIN;
    std::uint32_t least_width = 32, greatest_width = 0;
    bool has_kinds = false;  // some sublet stores it in another way than kCompactPlain

    // `is_axis`: that of a position which others predict.
    void add(const ComponentPlan& plan, bool is_axis);
    void add(const ComponentRange& other);
    [[nodiscard]] std::int32_t base() const;  // that bases are stored from: at most least_base
    [[nodiscard]] std::uint32_t base_bits() const;
    [[nodiscard]] std::uint32_t width_bits() const;
    [[nodiscard]] std::uint32_t word() const;
};

// A stream that was written before the table of components was known: bits before what depends on that, and after it.
struct StreamDraft {
    std::uint16_t head = 0;
    std::uint16_t tail = 0;        // palettes, slopes and values,
    std::uint16_t value_bits = 0;  // of which values
    std::uint8_t components = 0;   // 0: nothing depends on it
    std::uint8_t axis = 0;         // of a position
};

// Writes a stream of a type of `components` components as a draft, and what was drafted as it lies in a sublet.
[[nodiscard]] StreamDraft draft_stream(const StreamPlan& plan, std::uint32_t components, bool is_position,
                                       bool has_sign, CountingWriter& writer);
void write_stream(const StreamDraft& draft, std::span<const ComponentRange> ranges, bool is_position,
                  CountingReader& reader, CountingWriter& writer);
// The bits that write_stream() writes of a draft that is not of a position.
[[nodiscard]] std::uint32_t stream_bits(const StreamDraft& draft, std::span<const ComponentRange> ranges);

// Whether a word of a table of components is in its range.
[[nodiscard]] bool is_component_word(std::uint32_t word, const CompactLimits& limits);

// What is wrong with a stream of `components` components, whose bits are there: in how it stores values of `stream.own`
// vertices. Null where nothing is.
[[nodiscard]] const char* find_stream_fault(shared::CompactWords from, std::uint32_t block,
                                            const shared::CompactStream& stream, std::uint32_t components,
                                            const CompactLimits& limits);

// A sublet of a compact mesh, looked up.
struct CompactFound {
    shared::CompactWords from;
    ComponentTable table;
    shared::CompactSublet sublet;
    std::uint32_t sublets = 0;  // of its meshlet
    std::uint32_t record = 0;   // word where its meshlet's record begins
};

// Of words without a fault; `sublet` < header.sublet_count.
[[nodiscard]] CompactFound find_compact_sublet(const MeshHeader& header, std::span<const std::uint32_t> words,
                                               std::uint32_t sublet);

// Own vertex `index` of the sublet that begins at bit `at` of a block: what a lane does that knows where its vertex is.
void decode_compact_vertex(const MeshHeader& header, const ComponentTable& table, shared::CompactWords from,
                           std::uint32_t block, std::uint32_t at, std::uint32_t index, GridPoint& position,
                           std::uint32_t* attributes);

}  // namespace sublet::mesh
