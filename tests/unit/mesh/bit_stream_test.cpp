#include "mesh/bit_stream.h"

#include <gtest/gtest.h>

#include "test_meshes.h"

namespace sublet::mesh {
namespace {

TEST(BitStream, PutsValuesOneAfterTheOtherLowestBitFirst) {
    test::Random random(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<bool> bits;
        std::vector<std::uint32_t> words;
        BitWriter writer(words);
        for (std::uint32_t i = random.below(100); i-- > 0;) {
            const std::uint32_t width = random.below(33);
            const std::uint32_t value = low_bits(random.below(~0U), width);
            writer.write(value, width);
            for (std::uint32_t b = 0; b < width; ++b) bits.push_back((value >> b & 1U) != 0);
        }
        writer.flush();
        ASSERT_EQ(words.size(), (bits.size() + 31) / 32);
        for (std::size_t i = 0; i < words.size() * 32; ++i) {
            const bool expected = i < bits.size() && bits[i];
            ASSERT_EQ((words[i / 32] >> (i % 32) & 1U) != 0, expected) << "bit " << i;
        }
    }
}

TEST(BitStream, FlushesAPartialWordOnce) {
    std::vector<std::uint32_t> words;
    BitWriter writer(words);
    writer.flush();
    EXPECT_TRUE(words.empty());
    writer.write(0xffffffffU, 32);
    writer.flush();
    EXPECT_EQ(words.size(), 1U);
    writer.write(1, 1);
    writer.flush();
    writer.flush();
    EXPECT_EQ(words, (std::vector<std::uint32_t>{0xffffffffU, 1U}));
}

TEST(BitStream, ReadsAcrossTwoWordsFromAnyBit) {
    const std::vector<std::uint32_t> words{0x89abcdefU, 0x01234567U, 0xdeadbeefU};
    for (std::size_t bit = 0; bit < 64; ++bit) {
        const std::uint64_t value = read_two_words(words, bit);
        const std::size_t readable = 64 - bit % 32;
        for (std::size_t i = 0; i < readable; ++i) {
            const std::size_t at = bit + i;
            ASSERT_EQ(value >> i & 1U, words[at / 32] >> (at % 32) & 1U) << bit << " + " << i;
        }
    }
}

TEST(BitStream, MasksAnyNumberOfLowBits) {
    EXPECT_EQ(low_bits(~std::uint64_t{0}, 0), 0U);
    EXPECT_EQ(low_bits(~std::uint64_t{0}, 5), 31U);
    EXPECT_EQ(low_bits(~std::uint64_t{0}, 32), ~0U);
    EXPECT_EQ(words_for(32, 0), 0U);
    EXPECT_EQ(words_for(1, 15), 1U);
    EXPECT_EQ(words_for(32, 15), 15U);
    EXPECT_EQ(words_for(32, 64), 64U);
}

}  // namespace
}  // namespace sublet::mesh
