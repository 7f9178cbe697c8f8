// Which levels of images are there: as fine as they are sampled, within their budget.
#include "render/scene/texture_levels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace sublet::render {
namespace {

constexpr unsigned kNone = TextureLevels::kNotSampled;
constexpr std::uint32_t kKept = 3;
constexpr std::uint32_t kAnyNumber = 100;

std::vector<TextureLevels::Image> images(std::size_t count, unsigned level) {
    return std::vector<TextureLevels::Image>(count, {.width = 1024, .height = 1024, .level = level});
}

std::uint64_t bytes_from(unsigned level) {
    return scene::texture_bytes(1024U >> level, 1024U >> level);
}

// Frames that sample this, until nothing changes.
void settle(TextureLevels& levels, const std::vector<unsigned>& sampled) {
    for (std::uint32_t frame = 0; frame < 4 * kKept; ++frame) {
        for (const auto& [image, level] : levels.choose(sampled, kAnyNumber)) levels.arrived(image);
    }
    EXPECT_TRUE(levels.choose(sampled, kAnyNumber).empty());
    EXPECT_FALSE(levels.figures().goes_on());
}

TEST(TextureLevels, AreWhatIsSampled) {
    TextureLevels levels(images(4, 2), 2 * bytes_from(0) + 2 * bytes_from(4), kKept);
    settle(levels, {0, 1, kNone, kNone});
    EXPECT_EQ(levels.level(0), 0U);
    EXPECT_EQ(levels.level(1), 1U);
    EXPECT_EQ(levels.figures().whole, 1U);
    EXPECT_EQ(levels.figures().coarser, 0U);
    EXPECT_EQ(levels.level(2), 2U) << "nobody needs its room";
    settle(levels, {kNone, kNone, kNone, 0});
    EXPECT_EQ(levels.level(3), 0U);
    EXPECT_EQ(levels.level(0), 0U) << "there is room for both";
    settle(levels, {kNone, kNone, 0, 0});
    EXPECT_GT(levels.level(0), 2U) << "there is not";
    EXPECT_EQ(levels.figures().whole, 2U);
    EXPECT_GE(levels.figures().refined, 4U);
}

TEST(TextureLevels, TellWhatWouldBeWanted) {
    std::vector<TextureLevels::Image> some = images(3, 3);
    some[2].stays = true;
    TextureLevels levels(some, bytes_from(2), kKept);
    settle(levels, {0, 2, kNone});
    EXPECT_EQ(levels.wanted_bytes(), bytes_from(0) + bytes_from(2) + bytes_from(0)) << "one that stays counts whole";
    levels.failed(2);
    EXPECT_EQ(levels.wanted_bytes(), bytes_from(0) + bytes_from(2) + bytes_from(3)) << "or as it will ever be";
}

TEST(TextureLevels, WhatWasUnusedForLongestGoesFirst) {
    TextureLevels levels(images(3, 2), 2 * bytes_from(1) + bytes_from(4), kKept);
    settle(levels, {1, kNone, kNone});
    settle(levels, {kNone, 1, kNone});
    EXPECT_EQ(levels.level(0), 1U);
    EXPECT_EQ(levels.level(1), 1U);
    EXPECT_EQ(levels.level(2), 4U) << "it was never used";
    settle(levels, {kNone, kNone, 1});
    EXPECT_EQ(levels.level(0), 4U);
    EXPECT_EQ(levels.level(1), 1U);
}

TEST(TextureLevels, AreCoarserAllAlikeWhereThatHasNoRoom) {
    TextureLevels levels(images(8, 3), bytes_from(0), kKept);
    settle(levels, std::vector<unsigned>(8, 0));
    EXPECT_EQ(levels.figures().coarser, 2U) << "a sixteenth of the texels, times eight";
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(levels.level(i), 2U);
    EXPECT_LE(levels.figures().bytes, bytes_from(0));
    // Finer again once there is room, and a bit.
    settle(levels, {0, kNone, kNone, kNone, kNone, kNone, kNone, kNone});
    EXPECT_EQ(levels.figures().coarser, 1U) << "with what is always there of the others it just has none";
}

TEST(TextureLevels, SomeStay) {
    std::vector<TextureLevels::Image> of = images(3, 1);
    of[1].stays = true;
    TextureLevels levels(of, 8 * bytes_from(0), kKept);
    const std::vector<TextureLevels::Change> changes = levels.choose(std::vector<unsigned>{0, 0, 0}, kAnyNumber);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(levels.figures().loading, 2U);
    levels.failed(changes[0].image);
    levels.arrived(changes[1].image);
    settle(levels, {0, 0, 0});
    EXPECT_EQ(levels.level(0), 1U) << "it could not be read";
    EXPECT_EQ(levels.level(1), 1U);
    EXPECT_EQ(levels.level(2), 0U);
    EXPECT_EQ(levels.figures().failed, 1U);
    EXPECT_EQ(levels.figures().bytes, 2 * bytes_from(1) + bytes_from(0));
}

TEST(TextureLevels, SoManyComeAtATime) {
    TextureLevels levels(images(5, 3), 8 * bytes_from(0), kKept);
    const std::vector<unsigned> all(5, 0);
    const auto first = levels.choose(all, 2);
    EXPECT_EQ(first.size(), 2U);
    EXPECT_EQ(levels.figures().lacking, 3U);
    EXPECT_TRUE(levels.choose(all, 2).empty());
    levels.arrived(first[0].image);
    EXPECT_EQ(levels.choose(all, 2).size(), 1U);
}

// Whatever is sampled and whenever it comes: the bytes are those of the levels, and within the budget.
TEST(TextureLevels, KeepToTheirBudget) {
    std::mt19937 random(1);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (int round = 0; round < 50; ++round) {
        std::vector<TextureLevels::Image> of;
        for (unsigned i = 0; i < 20; ++i) {
            of.push_back({.width = 1U << below(13), .height = 1 + below(3000), .level = 6, .stays = below(8) == 0});
        }
        const std::uint64_t at_first = TextureLevels(of, 0, kKept).figures().bytes;
        TextureLevels levels(of, at_first * (2 + below(40)), kKept);
        const std::uint64_t budget = levels.figures().budget;
        std::vector<TextureLevels::Change> coming;
        std::vector<unsigned> sampled(of.size(), kNone);
        for (int frame = 0; frame < 200; ++frame) {
            if (below(10) == 0) {
                for (unsigned& level : sampled) level = below(3) == 0 ? below(8) : kNone;
            }
            for (const TextureLevels::Change& change : levels.choose(sampled, 4)) coming.push_back(change);
            ASSERT_LE(levels.figures().bytes, budget);
            while (!coming.empty() && below(3) != 0) {
                if (below(50) == 0 && coming.front().level < levels.level(coming.front().image)) {
                    levels.failed(coming.front().image);
                } else {
                    levels.arrived(coming.front().image);
                    ASSERT_EQ(levels.level(coming.front().image), coming.front().level);
                }
                coming.erase(coming.begin());
            }
        }
        for (const TextureLevels::Change& change : coming) levels.arrived(change.image);
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < of.size(); ++i) {
            const unsigned level = levels.level(i);
            bytes += scene::texture_bytes(scene::halved(of[i].width, level), scene::halved(of[i].height, level));
        }
        EXPECT_EQ(bytes, levels.figures().bytes);
        EXPECT_EQ(levels.figures().loading, 0U);
    }
}

}  // namespace
}  // namespace sublet::render
