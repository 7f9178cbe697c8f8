#include "mesh/octahedral.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "test_meshes.h"

namespace sublet::mesh {
namespace {

double angle(const std::array<float, 3>& a, const std::array<float, 3>& b) {
    const std::array<double, 3> x{static_cast<double>(a[1]) * b[2] - static_cast<double>(a[2]) * b[1],
                                  static_cast<double>(a[2]) * b[0] - static_cast<double>(a[0]) * b[2],
                                  static_cast<double>(a[0]) * b[1] - static_cast<double>(a[1]) * b[0]};
    const double dot =
        static_cast<double>(a[0]) * b[0] + static_cast<double>(a[1]) * b[1] + static_cast<double>(a[2]) * b[2];
    return std::atan2(std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), dot);
}

TEST(Octahedral, EveryIntegerPairComesBackAsTheSameDirection) {
    for (const std::int32_t max_y : {kSnorm8Max, kSnorm7Max}) {
        for (std::int32_t x = -kSnorm8Max; x <= kSnorm8Max; ++x) {
            for (std::int32_t y = -max_y; y <= max_y; ++y) {
                const std::array<float, 3> v = decode_octahedral({x, y}, kSnorm8Max, max_y);
                ASSERT_NEAR(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1.0F, 1e-6F);
                const Octahedral again = encode_octahedral(v, kSnorm8Max, max_y);
                // At the folded edges two pairs mean one direction: of them always the same is taken.
                const std::array<float, 3> w = decode_octahedral(again, kSnorm8Max, max_y);
                ASSERT_LT(angle(w, v), 1e-6) << x << ", " << y;
                const Octahedral third = encode_octahedral(w, kSnorm8Max, max_y);
                ASSERT_TRUE(third.x == again.x && third.y == again.y) << x << ", " << y;
            }
        }
    }
}

TEST(Octahedral, StaysWithinItsError) {
    test::Random random(5);
    double worst8 = 0;
    double worst7 = 0;
    for (int i = 0; i < 100000; ++i) {
        const std::array<float, 3> v = random.direction();
        worst8 = std::max(
            worst8, angle(v, decode_octahedral(encode_octahedral(v, kSnorm8Max, kSnorm8Max), kSnorm8Max, kSnorm8Max)));
        worst7 = std::max(
            worst7, angle(v, decode_octahedral(encode_octahedral(v, kSnorm8Max, kSnorm7Max), kSnorm8Max, kSnorm7Max)));
    }
    // In degrees: 0.94 by rounding each coordinate alone; choosing among the roundings is better.
    EXPECT_LT(worst8 * 57.3, 0.65);
    EXPECT_LT(worst7 * 57.3, 1.15);
}

TEST(Octahedral, ChoosesTheBestOfTheRoundings) {
    test::Random random(6);
    for (int i = 0; i < 2000; ++i) {
        const std::array<float, 3> v = random.direction();
        const Octahedral found = encode_octahedral(v, kSnorm8Max, kSnorm8Max);
        const double error = angle(v, decode_octahedral(found, kSnorm8Max, kSnorm8Max));
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                const Octahedral other{found.x + dx, found.y + dy};
                if (std::abs(other.x) > kSnorm8Max || std::abs(other.y) > kSnorm8Max) continue;
                EXPECT_GE(angle(v, decode_octahedral(other, kSnorm8Max, kSnorm8Max)), error - 2e-4);
            }
        }
    }
}

TEST(Octahedral, TakesVectorsOfAnyLength) {
    for (const float scale : {1e-38F, 1e-20F, 1.0F, 1e20F, 3e38F}) {
        const Octahedral q = encode_octahedral({0.0F, -scale, 0.0F}, kSnorm8Max, kSnorm8Max);
        EXPECT_LT(angle({0, -1, 0}, decode_octahedral(q, kSnorm8Max, kSnorm8Max)), 1e-6);
    }
    const Octahedral zero = encode_octahedral({0, 0, 0}, kSnorm8Max, kSnorm8Max);
    EXPECT_EQ(zero.x, 0);
    EXPECT_EQ(zero.y, 0);
    // The least 8-bit integer means what -127 means.
    EXPECT_EQ(decode_octahedral({-128, 0}, kSnorm8Max, kSnorm8Max),
              decode_octahedral({-127, 0}, kSnorm8Max, kSnorm8Max));
}

}  // namespace
}  // namespace sublet::mesh
