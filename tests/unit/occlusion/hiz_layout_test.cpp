// The CPU pyramid itself, against its definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "build_hiz.h"

namespace sublet::test {
namespace {

using render::make_hiz_layout;

// Every texel is the least of exactly the pixels it covers, found directly.
TEST(HizLayout, TexelsHoldTheFarthestOfTheirPixels) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
    for (int i = 0; i < 200; ++i) {
        const uint32_t width = i < 20 ? 1 + i / 5 : 1 + random() % 70;
        const uint32_t height = i < 20 ? 1 + i % 5 : 1 + random() % 70;
        std::vector<float> depth(std::size_t{width} * height);
        for (float& d : depth) d = uniform(random);
        const shared::HizLayout layout = make_hiz_layout(width, height, 1U << 27);
        const std::vector<float> pyramid = build_hiz(layout, depth);
        for (uint32_t level = layout.first_level; level <= layout.last_level; ++level) {
            for (uint32_t ty = 0; ty < hiz_level_height(layout, level); ++ty) {
                for (uint32_t tx = 0; tx < hiz_level_width(layout, level); ++tx) {
                    float least = 2.0F;
                    for (uint32_t y = ty << level; y < std::min((ty + 1) << level, height); ++y) {
                        for (uint32_t x = tx << level; x < std::min((tx + 1) << level, width); ++x) {
                            least = std::min(least, depth[std::size_t{y} * width + x]);
                        }
                    }
                    ASSERT_EQ(pyramid[hiz_level_offset(layout, level) + ty * hiz_row_pitch(layout, level) + tx], least)
                        << width << "x" << height << ", level " << level << ": " << tx << ", " << ty;
                }
            }
        }
    }
}

TEST(HizLayout, LevelsFollowEachOtherDownToOneTexel) {
    for (const uint32_t width : {1U, 2U, 3U, 64U, 65U, 1920U, 4097U, 16384U, 32767U, 32768U}) {
        for (const uint32_t height : {1U, 2U, 5U, 1080U, 4096U, 16384U, 32768U}) {
            const shared::HizLayout layout = make_hiz_layout(width, height, ~uint64_t{0});
            uint64_t next = 0;
            uint32_t w = width;
            uint32_t h = height;
            for (uint32_t level = 1; level <= layout.last_level; ++level) {
                w = (w + 1) / 2;
                h = (h + 1) / 2;
                EXPECT_EQ(hiz_level_width(layout, level), w);
                EXPECT_EQ(hiz_level_height(layout, level), h);
                EXPECT_EQ(hiz_level_offset(layout, level), next);
                EXPECT_EQ(next % 2, 0U);
                next += uint64_t{hiz_row_pitch(layout, level)} * h;
            }
            EXPECT_EQ(layout.first_level, 1U);
            EXPECT_EQ(w, 1U);
            EXPECT_EQ(h, 1U);
            EXPECT_EQ(hiz_float_count(layout), next);
            EXPECT_LE(layout.last_level, 15U);
        }
    }
}

TEST(HizLayout, FinestLevelsAreLeftOutWhereBuffersAreSmall) {
    EXPECT_EQ(make_hiz_layout(9400, 9400, 1U << 27).first_level, 1U);
    EXPECT_EQ(make_hiz_layout(16384, 16384, 1U << 27).first_level, 2U);
    EXPECT_EQ(make_hiz_layout(32768, 32768, 1U << 27).first_level, 3U);
    for (const uint64_t bytes : {8U, 100U, 5000U, 1U << 20}) {
        const shared::HizLayout layout = make_hiz_layout(1920, 1080, bytes);
        EXPECT_LE(hiz_float_count(layout) * 4, bytes);
        EXPECT_GT(layout.first_level, 1U);
    }
}

}  // namespace
}  // namespace sublet::test
