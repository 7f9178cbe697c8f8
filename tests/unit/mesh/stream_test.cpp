#include "mesh/stream.h"

#include <gtest/gtest.h>

#include <numeric>

#include "mesh/bit_stream.h"
#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using test::Random;

TEST(Stream, AWidthIsReadableWhenNoValueTouchesThreeWords) {
    for (std::uint32_t total = 0; total <= 64; ++total) {
        bool two_words = true;
        for (std::uint32_t value = 0; value < 32; ++value) two_words = two_words && value * total % 32 + total <= 64;
        EXPECT_EQ(is_readable_width(total), two_words) << total;
    }
}

// Values whose component i needs exactly widths[i] bits.
std::vector<Components> values_of_widths(Random& random, const std::array<std::uint32_t, 4>& widths,
                                         std::uint32_t components, bool is_signed, std::uint32_t count) {
    std::vector<Components> values(count);
    for (std::uint32_t i = 0; i < components; ++i) {
        const auto range = static_cast<std::int32_t>((1U << widths[i]) - 1U);
        const std::int32_t least = is_signed ? -32768 : 0;
        const std::int32_t base =
            least + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(65536 - range)));
        for (Components& value : values) {
            value[i] = base + static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(range) + 1));
        }
        values[0][i] = base;
        values[count - 1][i] = base + range;
    }
    return values;
}

TEST(Stream, EveryCombinationOfWidthsComesBack) {
    Random random(2);
    std::vector<std::uint32_t> payload{0xffffffffU};  // offsets need not be 0
    const StreamLayout layout{3, 16, true};
    for (std::uint32_t a = 0; a <= 16; ++a) {
        for (std::uint32_t b = 0; b <= 16; ++b) {
            for (std::uint32_t c = 0; c <= 16; ++c) {
                payload.resize(1);
                const std::vector<Components> values = values_of_widths(random, {a, b, c, 0}, 3, true, 32);
                const StreamHeader header = pack_stream(values, layout, payload);
                const std::uint32_t total = value_width(header);
                ASSERT_TRUE(is_readable_width(total));
                ASSERT_GE(total, a + b + c);
                // Widened only where it must be, and by no more than it must.
                for (std::uint32_t t = a + b + c; t < total; ++t) ASSERT_FALSE(is_readable_width(t));
                ASSERT_EQ(header.offset_in_words, 1U);
                ASSERT_EQ(payload.size(), 1U + words_for(32, total));
                payload.push_back(0xffffffffU);
                for (std::uint32_t i = 32; i-- > 0;) ASSERT_EQ(read_value(header, layout, payload, i), values[i]);
            }
        }
    }
}

TEST(Stream, EveryCountAndTypeComesBack) {
    Random random(3);
    for (std::uint32_t type = shared::kStreamPosition; type < shared::kStreamTypes; ++type) {
        for (const std::uint32_t tangent : {0U, shared::kHasTangentBit}) {
            const StreamLayout layout = stream_layout(type, tangent);
            for (std::uint32_t count = 1; count <= 32; ++count) {
                std::vector<std::uint32_t> payload;
                std::vector<Components> values(count);
                for (Components& value : values) {
                    for (std::uint32_t i = 0; i < layout.components; ++i) {
                        const std::uint32_t range = 1U << layout.component_bits;
                        value[i] = static_cast<std::int32_t>(random.below(range)) -
                                   (layout.is_signed ? static_cast<std::int32_t>(range / 2) : 0);
                    }
                }
                const StreamHeader header = pack_stream(values, layout, payload);
                payload.push_back(0);
                for (std::uint32_t i = 0; i < count; ++i) {
                    ASSERT_EQ(read_value(header, layout, payload, i), values[i]);
                    if (type == shared::kStreamPosition) continue;
                    std::array<std::uint32_t, 2> words{};
                    components_to_words(values[i], layout, words.data());
                    ASSERT_EQ(words_to_components(words.data(), layout), values[i]);
                }
            }
        }
    }
}

TEST(Stream, ThreeComponentsOfThirteenToFifteenBitsAreWidened) {
    // 39, 42 and 45 bits would touch three words.
    Random random(4);
    const StreamLayout layout{3, 16, true};
    for (const auto& [width, total] : {std::pair{12U, 36U}, {13U, 40U}, {14U, 48U}, {15U, 48U}, {16U, 48U}}) {
        std::vector<std::uint32_t> payload;
        const StreamHeader header =
            pack_stream(values_of_widths(random, {width, width, width, 0}, 3, true, 32), layout, payload);
        EXPECT_EQ(value_width(header), total) << width;
    }
}

TEST(Stream, EqualValuesCostNoPayload) {
    std::vector<std::uint32_t> payload;
    const std::vector<Components> values(7, Components{-5, 300, 32767, -32768});
    const StreamLayout layout{4, 16, true};
    const StreamHeader header = pack_stream(values, layout, payload);
    EXPECT_TRUE(payload.empty());
    EXPECT_EQ(header.bits, 0U);
    EXPECT_EQ(read_value(header, layout, payload, 6), values[0]);
}

TEST(Stream, PrimitiveCountsFillTheirHeaderWord) {
    const PrimitiveCounts counts{32, 31, 224, 217};
    const PrimitiveCounts again = primitive_counts({{0, 0}, primitive_bits(counts), 0});
    EXPECT_EQ(again.triangles, 32U);
    EXPECT_EQ(again.vertices, 31U);
    EXPECT_EQ(again.first_vertex_in_meshlet, 224U);
    EXPECT_EQ(again.first_triangle_in_meshlet, 217U);
}

TEST(Stream, RankAndStrideFollowTheStreamsPresent) {
    constexpr std::uint32_t kAll = (2U << shared::kStreamBoneIndices) - 1U;  // up to that one
    EXPECT_EQ(attribute_stride(kAll), 7U);
    EXPECT_EQ(attribute_stride(3), 0U);
    EXPECT_EQ(attribute_offset(shared::kStreamNormalTangent, kAll), 0U);
    EXPECT_EQ(attribute_offset(shared::kStreamBoneIndices, kAll), 5U);
    EXPECT_EQ(attribute_offset(shared::kStreamUv1, 1U << shared::kStreamUv1 | 1U << shared::kStreamColor | 3U), 1U);
    EXPECT_EQ(stream_rank(shared::kStreamBoneIndices, kAll), 7U);
    constexpr std::uint32_t kEight = kAllStreams & ~(1U << shared::kStreamBoneWeights);
    EXPECT_EQ(attribute_offset(shared::kStreamBoneIndices, kEight), 4U);
    EXPECT_EQ(attribute_offset(shared::kStreamJointWeights, kEight), 6U);
    EXPECT_EQ(attribute_offset(shared::kStreamJointWeights1, kEight), 10U);
    EXPECT_EQ(attribute_stride(kEight), 12U);
    EXPECT_EQ(stream_rank(shared::kStreamUv1, 1U << shared::kStreamUv1 | 3U), 2U);
}

}  // namespace
}  // namespace sublet::mesh
