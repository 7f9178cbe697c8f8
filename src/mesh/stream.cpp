#include "mesh/stream.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

#include "mesh/bit_stream.h"

namespace sublet::mesh {

StreamLayout stream_layout(std::uint32_t type, std::uint32_t streams_present) {
    assert(type != shared::kStreamPrimitive && "not a stream of vertices");
    StreamLayout layout = kStreams[type].layout;
    if (type == shared::kStreamNormalTangent) {
        layout.has_tangent_sign = (streams_present & shared::kHasTangentBit) != 0;
        if (!layout.has_tangent_sign) layout.components = 2;
    }
    return layout;
}

namespace {

bool is_wide(const StreamLayout& layout) {
    return layout.component_bits > shared::kNarrowPositionBits;
}

}  // namespace

bool is_readable_width(std::uint32_t total_bits) {
    return total_bits + 32 - std::gcd(total_bits, 32U) <= 64;
}

void components_to_words(const Components& components, const StreamLayout& layout, std::uint32_t* words) {
    const std::uint32_t per_word = 32 / layout.component_bits;
    const std::uint32_t mask = (1U << layout.component_bits) - 1U;
    for (std::uint32_t word = 0; word < (layout.components + per_word - 1) / per_word; ++word) {
        words[word] = 0;
        for (std::uint32_t i = 0; i < per_word && word * per_word + i < layout.components; ++i) {
            words[word] |= (static_cast<std::uint32_t>(components[word * per_word + i]) & mask)
                           << (i * layout.component_bits);
        }
    }
}

std::uint32_t take_tangent_sign(std::span<Components> values) {
    for (const Components& value : values) {
        if (((value[3] ^ values[0][3]) & 1) != 0) return shared::kTangentSignInLowBit;
    }
    const bool positive = (values[0][3] & 1) != 0;
    for (Components& value : values) value[3] >>= 1;
    return positive ? shared::kTangentSignPositive : shared::kTangentSignNegative;
}

void restore_tangent_sign(Components& components, std::uint32_t sign) {
    if (sign == shared::kTangentSignInLowBit) return;
    components[3] = components[3] * 2 + (sign == shared::kTangentSignPositive ? 1 : 0);
}

StreamHeader pack_stream(std::span<const Components> values, const StreamLayout& layout,
                         std::vector<std::uint32_t>& payload) {
    assert(!values.empty() && values.size() <= shared::kSubletSize);
    Components least = values[0];
    Components greatest = values[0];
    for (const Components& value : values) {
        for (std::size_t i = 0; i < 4; ++i) {
            least[i] = std::min(least[i], value[i]);
            greatest[i] = std::max(greatest[i], value[i]);
        }
    }

    std::array<std::uint32_t, 4> widths{};
    std::uint32_t total = 0;
    for (std::uint32_t i = 0; i < layout.components; ++i) {
        widths[i] = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(greatest[i] - least[i])));
        total += widths[i];
    }
    // Widening goes to the first components with room; 4 x 16 = 64 is readable, and more than 3 x 21, so there is room
    // enough.
    const std::uint32_t most = is_wide(layout) ? layout.component_bits + 1 : layout.component_bits;
    for (std::uint32_t i = 0; !is_readable_width(total);) {
        if (widths[i] < most) {
            ++widths[i];
            ++total;
        } else {
            ++i;
        }
    }

    StreamHeader header{};
    header.offset_in_words = static_cast<std::uint32_t>(payload.size());
    for (std::uint32_t i = 0; i < layout.components; ++i) {
        header.bits |= widths[i] << (5 * i);
        header.base_value[i / 2] |= (static_cast<std::uint32_t>(least[i]) & 0xffffU) << (16 * (i % 2));
    }
    if (is_wide(layout)) header.base_value[1] |= shared::high_position_bits(least[0], least[1], least[2]) << 16U;
    if (total == 0) return header;
    BitWriter writer(payload);
    for (const Components& value : values) {
        for (std::uint32_t i = 0; i < layout.components; ++i) {
            writer.write(static_cast<std::uint32_t>(value[i] - least[i]), widths[i]);
        }
    }
    writer.flush();
    return header;
}

Components read_value(const StreamHeader& header, const StreamLayout& layout, std::span<const std::uint32_t> payload,
                      std::uint32_t index) {
    const std::uint32_t total = value_width(header);
    std::uint64_t bits = 0;
    if (total > 0) {
        bits = read_two_words(payload, std::size_t{header.offset_in_words} * 32 + std::size_t{index} * total);
    }
    Components components{};
    for (std::uint32_t i = 0; i < layout.components; ++i) {
        const std::uint32_t width = component_width(header, i);
        const std::uint32_t base = header.base_value[i / 2] >> (16 * (i % 2));
        const std::uint32_t delta = low_bits(bits, width);
        bits >>= width;
        if (is_wide(layout)) {
            const std::uint32_t high = header.base_value[1] >> (16 + i * shared::kHighPositionBits);
            components[i] = shared::position_component(base, high) + static_cast<std::int32_t>(delta);
            continue;
        }
        const std::uint32_t sum = (base + delta) & 0xffffU;
        components[i] = layout.is_signed ? static_cast<std::int16_t>(sum) : static_cast<std::int32_t>(sum);
    }
    return components;
}

std::uint32_t value_width(const StreamHeader& header) {
    return component_width(header, 0) + component_width(header, 1) + component_width(header, 2) +
           component_width(header, 3);
}

std::uint32_t element_width(const StreamHeader& header, std::uint32_t type) {
    return type == shared::kStreamPrimitive ? kTriangleBits : value_width(header);
}

PrimitiveCounts primitive_counts(const StreamHeader& header) {
    return {header.bits & 0xffU, header.bits >> 8U & 0xffU, header.bits >> 16U & 0xffU, header.bits >> 24U};
}

std::uint32_t primitive_bits(const PrimitiveCounts& counts) {
    return counts.triangles | counts.vertices << 8U | counts.first_vertex_in_meshlet << 16U |
           counts.first_triangle_in_meshlet << 24U;
}

}  // namespace sublet::mesh
