// Show::kMotion: where a pixel's motion comes from, the last frame shows the same triangle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "harness.h"
#include "motion.h"
#include "shaders/shared/view_colors.h"
#include "shapes.h"

namespace sublet::test::motion_vectors_test {
namespace {

constexpr std::uint32_t kWide = 261, kHigh = 181;

// What a colour tells: pixels, y down.
glm::vec2 motion_of(const render::Picture& picture, std::size_t pixel) {
    const auto channel = [&](std::size_t i) { return static_cast<float>(picture.rgba[4 * pixel + i]) / 127.5F - 1.0F; };
    const glm::vec2 way(channel(0), -channel(1));
    const float strength = glm::length(way);
    if (strength < 0.012F) return glm::vec2(0.0F);
    return way / strength * (std::exp2(strength * std::log2(1.0F + shared::kMostMotion)) - 1.0F);
}

// The share of pixels that something covers whose triangle the frame before shows where they come from. `follow`: not
// in the same place.
double same_triangles(const render::Picture& before, const render::Picture& now, bool follow) {
    std::size_t covered = 0;
    std::size_t same = 0;
    for (std::uint32_t y = 0; y < kHigh; ++y) {
        for (std::uint32_t x = 0; x < kWide; ++x) {
            const std::size_t pixel = std::size_t{y} * kWide + x;
            if (now.depth[pixel] == 0.0F) continue;
            const glm::vec2 moved = follow ? motion_of(now, pixel) : glm::vec2(0.0F);
            const glm::ivec2 from = glm::ivec2(glm::floor(glm::vec2(x, y) + 0.5F - moved));
            if (from.x < 0 || from.y < 0 || from.x >= static_cast<int>(kWide) || from.y >= static_cast<int>(kHigh)) {
                continue;
            }
            ++covered;
            const std::size_t there = static_cast<std::size_t>(from.y) * kWide + static_cast<std::size_t>(from.x);
            same += before.depth[there] != 0.0F && before.ids[there] == now.ids[pixel] ? 1 : 0;
        }
    }
    EXPECT_GT(covered, kWide * kHigh / 20);
    return static_cast<double>(same) / static_cast<double>(covered);
}

render::Picture shoot(Bench& bench, render::FrameSettings settings, double time, const render::CameraPose& pose) {
    settings.show = render::Show::kMotion;
    bench.renderer().set_time(time);
    bench.shoot(settings, pose, kNear, kWide, kHigh);
    return bench.renderer().read_picture(true, true);
}

std::size_t moving_pixels(const render::Picture& picture) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::size_t{kWide} * kHigh; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            if (std::abs(picture.rgba[4 * i + c] - 128) > 1) {
                ++count;
                break;
            }
        }
    }
    return count;
}

TEST(MotionVectors, LeadToTheSameTriangleInTheLastFrame) {
    Bench bench;
    bench.set_scene(encode(make_deforming_shapes()));
    render::CameraPose pose = kPose;
    pose.fov_degrees = 14.0F;  // so near that triangles are some pixels
    render::CameraPose turned = pose;
    turned.eye += glm::vec3(0.05F, 0.02F, -0.04F);
    turned.target += glm::vec3(0.06F, -0.02F, 0.0F);
    render::Picture reference;
    // The pass reads ids, which a graphics pipeline leaves or the compute rasteriser.
    for (const Way& way : ways(bench)) {
        if (way.name != "direct" && way.name != "raster") continue;
        SCOPED_TRACE(way.name);
        const render::Picture before = shoot(bench, way.settings, 0.3, pose);
        const render::Picture now = shoot(bench, way.settings, 0.33, turned);
        const double followed = same_triangles(before, now, true);
        const double stayed = same_triangles(before, now, false);
        RecordProperty(way.name, std::to_string(followed) + " of those that stay " + std::to_string(stayed));
        // Colours tell motions within half a pixel or so, and some of what is seen now was hidden.
        EXPECT_GT(followed, 0.65);
        EXPECT_LT(stayed, 0.1);
        if (reference.rgba.empty()) reference = now;
        std::size_t differ = 0;
        for (std::size_t i = 0; i < std::size_t{kWide} * kHigh; ++i) {
            if (now.ids[i] != reference.ids[i] && now.depth[i] != 0.0F) continue;
            for (std::size_t c = 0; c < 3; ++c) {
                if (std::abs(now.rgba[4 * i + c] - reference.rgba[4 * i + c]) > 1) {
                    ++differ;
                    break;
                }
            }
        }
        EXPECT_LE(differ, 3U);
        // Nothing has moved since.
        EXPECT_EQ(moving_pixels(shoot(bench, way.settings, 0.33, turned)), 0U);
        save(now, "motion " + way.name);
    }
    EXPECT_EQ(bench.validation_messages(), 0U);
}

// What is infinitely far away moves as the camera turns, and stays as it walks.
TEST(MotionVectors, TheBackgroundFollowsTurnsAlone) {
    Bench bench;
    bench.set_scene(encode(make_shapes()));
    render::CameraPose walked = kPose;
    walked.eye.y += 0.5F;
    walked.target.y += 0.5F;
    shoot(bench, {}, 0.0, kPose);
    const render::Picture by_walk = shoot(bench, {}, 0.0, walked);
    std::size_t background = 0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < std::size_t{kWide} * kHigh; ++i) {
        if (by_walk.depth[i] != 0.0F) {
            moved += glm::length(motion_of(by_walk, i)) > 0.5F ? 1 : 0;
            continue;
        }
        ++background;
        EXPECT_LT(glm::length(motion_of(by_walk, i)), 0.1F);
    }
    EXPECT_GT(background, 1000U);
    EXPECT_GT(moved, 1000U);
    render::CameraPose turned = walked;
    turned.target.x += 0.5F;  // to the right or left, by the tangent of about half in ten
    const render::Picture by_turn = shoot(bench, {}, 0.0, turned);
    std::size_t still = 0;
    for (std::size_t i = 0; i < std::size_t{kWide} * kHigh; ++i) {
        still += by_turn.depth[i] == 0.0F && glm::length(motion_of(by_turn, i)) < 1.0F ? 1 : 0;
    }
    EXPECT_EQ(still, 0U);
}

}  // namespace
}  // namespace sublet::test::motion_vectors_test
