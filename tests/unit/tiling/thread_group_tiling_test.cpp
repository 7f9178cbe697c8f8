// Thread-group tiling gives every place to exactly one workgroup, in strips.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shader.h"

namespace sublet::test {
namespace {

using glm::uvec2;
using glsl::tiling::tiled_group;
using Tiling = uvec2 (*)(std::uint32_t columns, std::uint32_t rows, std::uint32_t index, std::uint32_t n);

// Every place is taken once.
bool is_permutation(Tiling tiling, std::uint32_t columns, std::uint32_t rows, std::uint32_t n) {
    std::vector<bool> taken(std::size_t{columns} * rows);
    for (std::uint32_t i = 0; i < columns * rows; ++i) {
        const uvec2 place = tiling(columns, rows, i, n);
        if (place.x >= columns || place.y >= rows) return false;
        const std::size_t at = std::size_t{place.y} * columns + place.x;
        if (taken[at]) return false;
        taken[at] = true;
    }
    return true;
}

// The form in which the technique was first published: every strip is n columns wide.
uvec2 uncorrected(std::uint32_t columns, std::uint32_t rows, std::uint32_t index, std::uint32_t n) {
    if (n == 0 || n > columns) n = columns;
    const std::uint32_t within = index % (n * rows);
    return {index / (n * rows) * n + within % n, within / n};
}

TEST(ThreadGroupTiling, IsAPermutationForEveryWidthHeightAndN) {
    std::uint32_t broken = 0;
    for (std::uint32_t columns = 1; columns <= 40; ++columns) {
        for (std::uint32_t rows = 1; rows <= 40; ++rows) {
            for (std::uint32_t n = 0; n <= 42; ++n) {
                ASSERT_TRUE(is_permutation(tiled_group, columns, rows, n)) << columns << " x " << rows << " by " << n;
                const bool uneven = n != 0 && n < columns && columns % n != 0 && rows > 1;
                ASSERT_EQ(is_permutation(uncorrected, columns, rows, n), !uneven)
                    << columns << " x " << rows << " by " << n;
                broken += static_cast<std::uint32_t>(uneven);
            }
        }
    }
    EXPECT_GT(broken, 10000U) << "the uncorrected form must fail in many cases, or they test nothing";
}

TEST(ThreadGroupTiling, GoesByStripsAndByRowsWithin) {
    for (const std::uint32_t columns : {1U, 7U, 16U, 33U, 240U}) {
        for (const std::uint32_t rows : {1U, 5U, 135U}) {
            for (const std::uint32_t n : {1U, 3U, 8U, 16U, 32U, 1000U}) {
                std::uint32_t i = 0;
                for (std::uint32_t first = 0; first < columns; first += n) {
                    for (std::uint32_t y = 0; y < rows; ++y) {
                        for (std::uint32_t x = first; x < std::min(first + n, columns); ++x, ++i) {
                            const uvec2 place = tiled_group(columns, rows, i, n);
                            ASSERT_EQ(place.x, x) << columns << " x " << rows << " by " << n << ", " << i;
                            ASSERT_EQ(place.y, y) << columns << " x " << rows << " by " << n << ", " << i;
                        }
                    }
                }
            }
        }
    }
}

TEST(ThreadGroupTiling, ZeroIsOff) {
    for (std::uint32_t i = 0; i < 37 * 11; ++i) {
        const uvec2 place = tiled_group(37, 11, i, 0);
        EXPECT_EQ(place.x, i % 37);
        EXPECT_EQ(place.y, i / 37);
    }
}

// The largest dispatch of a full-screen pass: 16,384 pixels in groups of 8 x 8, and in groups of a pixel.
TEST(ThreadGroupTiling, LargeDispatchesDoNotOverflow) {
    for (const std::uint32_t side : {2048U, 16384U}) {
        for (const std::uint32_t n : {0U, 7U, 65535U}) {
            const uvec2 last = tiled_group(side, side, side * side - 1, n);
            EXPECT_EQ(last.x, side - 1);
            EXPECT_EQ(last.y, side - 1);
        }
    }
}

}  // namespace
}  // namespace sublet::test
