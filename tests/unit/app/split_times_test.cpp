#include "app/view/split_times.h"

#include <gtest/gtest.h>

namespace sublet::app {
namespace {

render::FrameResult frame_of(std::optional<double> a, std::optional<double> b) {
    render::FrameResult frame;
    frame.views.push_back({kSplitView, 1, 1.0, {}, b});
    frame.views.push_back({0, 1, 1.0, {}, a});
    return frame;
}

TEST(SplitTimes, AreMediansOfEachSide) {
    SplitTimes times;
    EXPECT_FALSE(times.a_ms() || times.b_ms());
    for (const double ms : {1.0, 50.0, 2.0}) times.add(frame_of(ms, 10.0 * ms));
    EXPECT_EQ(times.a_ms(), 2.0);
    EXPECT_EQ(times.b_ms(), 20.0);
    times.clear();
    EXPECT_FALSE(times.a_ms() || times.b_ms());
}

TEST(SplitTimes, LeaveOutWhatSaysNothing) {
    SplitTimes times;
    times.add(frame_of(1.0, 2.0));
    render::FrameResult compiled = frame_of(100.0, 200.0);
    compiled.fresh_pipelines = true;
    for (int i = 0; i < 5; ++i) times.add(compiled);
    for (int i = 0; i < 5; ++i) times.add(frame_of(100.0, std::nullopt));
    render::FrameResult alone = frame_of(100.0, 200.0);
    alone.views.erase(alone.views.begin());
    for (int i = 0; i < 5; ++i) times.add(alone);
    EXPECT_EQ(times.a_ms(), 1.0);
    EXPECT_EQ(times.b_ms(), 2.0);
}

TEST(SplitTimes, AreOfTheLastFrames) {
    SplitTimes times;
    for (int i = 0; i < 100; ++i) times.add(frame_of(1.0, 2.0));
    for (std::size_t i = 0; i < SplitTimes::kFrames; ++i) times.add(frame_of(3.0, 4.0));
    EXPECT_EQ(times.a_ms(), 3.0);
    EXPECT_EQ(times.b_ms(), 4.0);
}

}  // namespace
}  // namespace sublet::app
