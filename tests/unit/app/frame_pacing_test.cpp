#include "app/view/frame_pacing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sublet::app {
namespace {

// Runs the loop of a viewer whose frames take 10 ms, for so many seconds; what was drawn.
struct Loop {
    int frames = 0;
    int turns = 0;
    double last_frame = 0;
};
Loop run(FramePacing& pacing, double from, double seconds, FramePacing::Situation situation) {
    Loop out;
    double now = from;
    while (now < from + seconds) {
        situation.now = now;
        const FramePacing::Decision decision = pacing.next(situation);
        situation.active = false;  // it was, once
        ++out.turns;
        if (decision.draw) {
            ++out.frames;
            out.last_frame = now;
            now += 0.010;
        } else {
            EXPECT_GT(decision.wait_seconds, 0.0) << "a loop that neither draws nor waits burns a core";
            now += decision.wait_seconds;
        }
    }
    return out;
}

TEST(FramePacing, SleepsSoonAfterTheLastInput) {
    FramePacing pacing;
    const Loop awake = run(pacing, 0.0, 10.0, {.active = true});
    EXPECT_GE(awake.frames, 8) << "results come back some frames late";
    EXPECT_GT(awake.last_frame, 0.4) << "tooltips wait";
    EXPECT_LT(awake.last_frame, 1.5);
    const Loop asleep = run(pacing, 10.0, 60.0, {});
    EXPECT_EQ(asleep.frames, 0);
    EXPECT_LE(asleep.turns, 61);
}

TEST(FramePacing, DrawsFramesThatTakeLongToo) {
    FramePacing pacing;
    double now = 0.0;
    int frames = 0;
    bool active = true;
    for (int turn = 0; turn < 40; ++turn) {
        const FramePacing::Decision decision = pacing.next({.now = now, .active = active});
        active = false;
        frames += decision.draw ? 1 : 0;
        now += decision.draw ? 2.0 : decision.wait_seconds;
    }
    EXPECT_EQ(frames, 8);
}

TEST(FramePacing, DrawsWithoutPauseWhileSomethingMoves) {
    FramePacing pacing;
    EXPECT_GE(run(pacing, 5.0, 2.0, {.animated = true}).frames, 199);
}

TEST(FramePacing, AWindowWithoutTheKeyboardDrawsFiveTimesASecond) {
    FramePacing pacing;
    const Loop moving = run(pacing, 0.0, 10.0, {.animated = true, .focused = false});
    EXPECT_LE(moving.frames, 51);
    EXPECT_GE(moving.frames, 45);
    FramePacing::Situation hovered{.focused = false};
    int frames = 0;
    for (double now = 20.0; now < 30.0; now += 0.005) {  // the pointer moves over it all the time
        hovered.now = now;
        hovered.active = true;
        frames += pacing.next(hovered).draw ? 1 : 0;
    }
    EXPECT_LE(frames, 51);
    EXPECT_GE(frames, 45);
}

TEST(FramePacing, ACursorBlinksSlowly) {
    FramePacing pacing;
    const Loop run_of = run(pacing, 5.0, 10.0, {.blinks = true});
    EXPECT_LE(run_of.frames, 51);
    EXPECT_GE(run_of.frames, 45);
}

TEST(FramePacing, FullSpeedNeverWaits) {
    FramePacing pacing;
    EXPECT_GE(run(pacing, 5.0, 2.0, {.focused = false, .full_speed = true}).frames, 199);
}

}  // namespace
}  // namespace sublet::app
