#include "app/view/path_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "app/view/path_player.h"

namespace sublet::app {
namespace {

// A flight that bends, stops for two seconds and goes on.
render::CameraPose flight(double seconds) {
    const double s = seconds < 4.0 ? seconds : std::max(4.0, seconds - 2.0);
    const auto f = [](double v) { return static_cast<float>(v); };
    const glm::vec3 eye{f(5.0 * std::sin(s)), f(1.0 + 0.2 * s), f(5.0 * std::cos(0.7 * s))};
    return {eye, eye + glm::vec3(f(3.0 * std::cos(0.5 * s)), -0.5F, f(3.0 * std::sin(0.5 * s))), 45.0F, 0.0F};
}

void expect_close(const render::CameraPose& a, const render::CameraPose& b, float tolerance) {
    EXPECT_LT(glm::distance(a.eye, b.eye), tolerance);
    EXPECT_LT(glm::distance(a.target, b.target), tolerance);
}

TEST(PathRecorder, KeepsAFlightInFewKeysHoweverLongFramesTook) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> frame(0.002, 0.05);
    PathRecorder recorder;
    recorder.add(flight(9.0), 1.0);  // not recording yet
    recorder.start();
    double seconds = 0.0;
    recorder.add(flight(0.0), 0.5);  // the time before the first frame is no part of it
    while (seconds < 10.0) {
        const double step = frame(random);
        seconds += step;
        recorder.add(flight(seconds), step);
    }
    EXPECT_TRUE(recorder.recording());
    EXPECT_NEAR(recorder.seconds(), seconds, 1e-9);
    const CameraPath path = recorder.finish();
    EXPECT_FALSE(recorder.recording());
    EXPECT_NEAR(path.frames, seconds * 60.0, 1.5);
    EXPECT_LT(path.keys.size(), 120U) << "of some 300 samples";
    EXPECT_GT(path.keys.size(), 8U);
    for (double at = 0.0; at < 10.0; at += 0.05) {
        SCOPED_TRACE(at);
        // It stops and starts between two frames, which can't say when.
        const bool corner = std::min(std::abs(at - 4.0), std::abs(at - 6.0)) < 0.1;
        expect_close(pose_at(path, at * 60.0), flight(at), corner ? 0.06F : 0.02F);
    }
}

TEST(PathRecorder, ACutIsNoFlight) {
    const render::CameraPose here = flight(0.0);
    const render::CameraPose there = flight(3.0);
    PathRecorder recorder;
    recorder.start();
    for (int i = 0; i <= 61; ++i) recorder.add(here, 1.0 / 60.0);
    recorder.cut();
    for (int i = 0; i < 61; ++i) recorder.add(there, 1.0 / 60.0);
    const CameraPath path = recorder.finish();
    EXPECT_EQ(std::count_if(path.keys.begin(), path.keys.end(), [](const CameraKey& key) { return key.cut; }), 1);
    for (double frame = 0.0; frame < 120.0; frame += 0.5) {
        const render::CameraPose pose = pose_at(path, frame);
        EXPECT_TRUE(pose == here || pose == there) << frame;
        if (frame < 59.0 || frame > 65.0) {
            EXPECT_EQ(pose, frame < 60.0 ? here : there) << frame;
        }
    }
}

TEST(PathRecorder, ACameraThatRestsIsNotDrawnAndStaysWhereItIs) {
    PathRecorder recorder;
    recorder.start();
    recorder.add(flight(0.0), 0.0);
    recorder.add(flight(0.3), 5.0);  // an idle window, and then a drag
    const CameraPath path = recorder.finish();
    EXPECT_EQ(path.frames, 301U);
    expect_close(pose_at(path, 285.0), flight(0.0), 1e-3F);
    expect_close(pose_at(path, 300.0), flight(0.3), 1e-3F);
}

TEST(PathRecorder, OfNothingIsNoPath) {
    PathRecorder recorder;
    EXPECT_TRUE(recorder.finish().keys.empty());
    recorder.start();
    recorder.add(flight(0.0), 0.1);
    const CameraPath path = recorder.finish();
    EXPECT_EQ(path.frames, 1U);
    EXPECT_EQ(path.keys.size(), 1U);
}

TEST(PathThrough, GoesThroughEachPoseAfterEquallyLong) {
    const render::CameraPose poses[] = {flight(0.0), flight(1.0), flight(2.0)};
    const CameraPath path = path_through(poses, 1.5);
    EXPECT_EQ(path.frames, 181U);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(pose_at(path, 90.0 * i), poses[i]);
    EXPECT_EQ(path_through(std::span(poses, 1), 1.5).frames, 1U);
}

TEST(PathPlayer, PlaysPausesLoopsAndScrubs) {
    const render::CameraPose poses[] = {flight(0.0), flight(1.0)};
    PathPlayer player;
    EXPECT_FALSE(player.has_path());
    player.play();
    EXPECT_FALSE(player.playing()) << "there is nothing to play";
    EXPECT_FALSE(player.advance(1.0));

    player.set_path(path_through(poses, 1.0));
    EXPECT_EQ(player.length_seconds(), 1.0);
    EXPECT_FALSE(player.advance(1.0)) << "not yet";
    player.play();
    EXPECT_EQ(player.advance(0.25), pose_at(player.path(), 15.0));
    player.pause();
    EXPECT_FALSE(player.advance(0.25));
    EXPECT_EQ(player.seconds(), 0.25);
    player.play();
    EXPECT_EQ(player.advance(0.25), pose_at(player.path(), 30.0));
    EXPECT_EQ(player.advance(5.0), poses[1]);
    EXPECT_FALSE(player.playing()) << "the end";
    player.play();
    EXPECT_EQ(player.seconds(), 0.0);

    player.set_loop(true);
    static_cast<void>(player.advance(1.0));
    EXPECT_TRUE(player.playing());
    EXPECT_NEAR(player.seconds(), 1.0, 1e-9);
    static_cast<void>(player.advance(0.5));
    EXPECT_NEAR(player.seconds(), 29.0 / 60.0, 1e-9) << "61 frames are a round";
    player.scrub(0.5);
    EXPECT_EQ(player.pose(), pose_at(player.path(), 30.0));
    player.scrub(99.0);
    EXPECT_EQ(player.seconds(), 1.0);
    player.scrub(-1.0);
    EXPECT_EQ(player.seconds(), 0.0);
}

}  // namespace
}  // namespace sublet::app
