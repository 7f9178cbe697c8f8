#include "mesh/grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "test_meshes.h"

namespace sublet::mesh {
namespace {

using test::Random;
using Point = std::array<float, 3>;

struct Box {
    Point min, max;
};

// Whether integers about ANY multiple of 2^exponent fit: the span decides.
bool fits_some_origin(const Box& box, int exponent, int bits) {
    const double scale = std::ldexp(1.0, exponent);
    for (std::size_t i = 0; i < 3; ++i) {
        const double low = std::floor(box.min[i] / scale + 0.5);
        const double high = std::floor(box.max[i] / scale + 0.5);
        if (high - low > std::ldexp(1.0, bits) - 1) return false;
    }
    return true;
}

void expect_good_grid(const Box& box, int bits, Random& random) {
    const PositionGrid grid = choose_position_grid(box.min, box.max, bits);
    ASSERT_EQ(grid.scale, std::ldexp(1.0F, grid.exponent));
    ASSERT_TRUE(std::isnormal(grid.scale));
    if (grid.exponent > kMinExponent) {
        EXPECT_FALSE(fits_some_origin(box, grid.exponent - 1, bits))
            << "exponent " << grid.exponent << " at " << bits << " bits is not the smallest";
    }
    const std::int32_t half = 1 << (bits - 1);
    for (int n = 0; n < 50; ++n) {
        Point p = n == 0 ? box.min : box.max;
        if (n > 1) {
            for (std::size_t i = 0; i < 3; ++i) {
                p[i] = std::clamp(random.uniform(box.min[i], box.max[i]), box.min[i], box.max[i]);
            }
        }
        const std::array<std::int32_t, 3> q = grid.quantize(p);
        const Point back = grid.dequantize(q);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_GE(q[i], -half);
            EXPECT_LT(q[i], half);
            EXPECT_TRUE(std::isnormal(back[i]) || back[i] == 0.0F);
            const double rounding = std::abs(static_cast<double>(p[i])) * 0x1p-23;
            EXPECT_LE(std::abs(static_cast<double>(back[i]) - p[i]), 0.5 * grid.scale + rounding);
        }
    }
}

TEST(PositionGrid, IsTheFinestThatFits) {
    Random random(7);
    for (int round = 0; round < 500; ++round) {
        Box box{};
        const float size = std::ldexp(random.uniform(1, 2), static_cast<int>(random.below(40)) - 20);
        for (std::size_t i = 0; i < 3; ++i) {
            // Within a few sizes of zero, where the origin is always a float.
            const float a = random.uniform(-3 * size, 3 * size);
            const float b = random.uniform(-3 * size, 3 * size);
            box.min[i] = std::min(a, b);
            box.max[i] = std::max(a, b);
        }
        expect_good_grid(box, 4 + static_cast<int>(random.below(13)), random);
    }
}

TEST(PositionGrid, UsesTheWholeRangeOfIntegers) {
    // 2^N - 1 steps fit N bits when the origin is chosen for it, though not about the centre's nearest grid point
    // alone.
    const PositionGrid grid = choose_position_grid({0, 0, 0}, {4095, 1, 1}, 12);
    EXPECT_EQ(grid.exponent, 0);
    EXPECT_EQ(grid.quantize({0, 0, 0})[0], -2048);
    EXPECT_EQ(grid.quantize({4095, 0, 0})[0], 2047);
    EXPECT_EQ(choose_position_grid({0, 0, 0}, {4096, 1, 1}, 12).exponent, 1);
    // The main reference's model: 12 bits about the origin are a grid of 2^-12.
    const PositionGrid kitten = choose_position_grid({-0.322F, -0.4944F, -0.2929F}, {0.322F, 0.4944F, 0.2929F}, 12);
    EXPECT_EQ(kitten.exponent, -12);
    EXPECT_EQ(kitten.origin, (Point{0, 0, 0}));
}

TEST(PositionGrid, TakesExtremeBoxes) {
    Random random(8);
    for (const int bits : {4, 14, 16}) {
        expect_good_grid(
            {{-kMaxCoordinate, -kMaxCoordinate, -kMaxCoordinate}, {kMaxCoordinate, kMaxCoordinate, kMaxCoordinate}},
            bits, random);
        expect_good_grid({{-1e30F, 0, 0}, {1e30F, 1e-30F, 1}}, bits, random);
        expect_good_grid({{0, 0, 0}, {1e-30F, 1e-30F, 1e-30F}}, bits, random);
        expect_good_grid({{0, 0, 0}, {1e-38F, 1e-40F, 1e-45F}}, bits, random);
        expect_good_grid({{1e30F, 0, 5}, {1e30F, 1e-30F, 5}}, bits, random);
    }
}

TEST(PositionGrid, FarFromZeroTheOriginIsAFloat) {
    Random random(9);
    for (int round = 0; round < 300; ++round) {
        Box box{};
        for (std::size_t i = 0; i < 3; ++i) {
            box.min[i] = random.uniform(-1e6F, 1e6F);
            box.max[i] = box.min[i];
            for (std::uint32_t n = random.below(40); n-- > 0;) box.max[i] = std::nextafter(box.max[i], INFINITY);
        }
        const int bits = 4 + static_cast<int>(random.below(13));
        const PositionGrid grid = choose_position_grid(box.min, box.max, bits);
        for (const Point& p : {box.min, box.max}) {
            const std::array<std::int32_t, 3> q = grid.quantize(p);
            const Point back = grid.dequantize(q);
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_LT(std::abs(2 * q[i] + 1), 1 << bits);
                EXPECT_LE(std::abs(static_cast<double>(back[i]) - p[i]), 0.5 * grid.scale + std::abs(p[i]) * 0x1p-24);
            }
        }
    }
}

TEST(PositionGrid, OnePointIsExact) {
    const Point p{1.2345F, -6e7F, 1e-3F};
    const PositionGrid grid = choose_position_grid(p, p, 14);
    EXPECT_EQ(grid.quantize(p), (std::array<std::int32_t, 3>{0, 0, 0}));
    EXPECT_EQ(grid.dequantize({0, 0, 0}), p);
}

TEST(UvGrid, IsTheFinestThatFitsAndStaysWithinHalfAStep) {
    Random random(10);
    for (int round = 0; round < 500; ++round) {
        const float size = std::ldexp(1.0F, static_cast<int>(random.below(30)) - 8);
        const float a = random.uniform(-size, size);
        const float b = random.uniform(-size, size);
        const int bits = 4 + static_cast<int>(random.below(13));
        const UvGrid grid = choose_uv_grid(std::min(a, b), std::max(a, b), bits);
        ASSERT_EQ(grid.scale, std::ldexp(1.0F, grid.exponent));
        const std::int32_t half = 1 << (bits - 1);
        for (const float uv : {a, b}) {
            const std::int32_t q = grid.quantize(uv);
            EXPECT_GE(q, -half);
            EXPECT_LT(q, half);
            EXPECT_LE(std::abs(static_cast<double>(grid.dequantize(q)) - uv),
                      0.25 * grid.scale + std::abs(uv) * 0x1p-23 + 0x1p-24);
        }
        if (grid.exponent == kMinUvExponent) continue;
        const double finer = std::ldexp(1.0, grid.exponent - 1);
        const double low = std::floor((2.0 * std::min(a, b) - 1.0) / finer + 0.5);
        const double high = std::floor((2.0 * std::max(a, b) - 1.0) / finer + 0.5);
        EXPECT_TRUE(low < -half || high > half - 1);
    }
}

TEST(UvGrid, TheUnitSquareIsCentred) {
    const UvGrid grid = choose_uv_grid(0, 1, 16);
    EXPECT_EQ(grid.exponent, -14);
    EXPECT_EQ(grid.quantize(0.5F), 0);
    EXPECT_EQ(grid.dequantize(grid.quantize(0.0F)), 0.0F);
    EXPECT_EQ(grid.dequantize(grid.quantize(1.0F)), 1.0F);
    EXPECT_EQ(grid.dequantize(grid.quantize(0.25F)), 0.25F);
}

}  // namespace
}  // namespace sublet::mesh
