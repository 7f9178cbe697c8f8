#include "app/frame_history.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sublet::app {
namespace {

using Time = FrameHistory::Time;

struct Made {
    std::uint64_t number;
    double interval_ms, cpu_ms, gpu_ms;
    std::vector<gpu::PassTime> passes;
    bool fresh = false;
};

void add(FrameHistory& history, const Made& made) {
    render::FrameResult frame;
    frame.number = made.number;
    frame.times.frame = made.number;
    frame.times.ms = made.gpu_ms;
    frame.times.passes = made.passes;
    frame.fresh_pipelines = made.fresh;
    frame.counters.primitives_drawn = 100 * made.number;
    history.submitted(made.number, made.interval_ms, made.cpu_ms);
    history.add(frame);
}

TEST(FrameHistory, IsEmptyBeforeAFrame) {
    FrameHistory history;
    EXPECT_EQ(history.size(), 0U);
    EXPECT_FALSE(history.median(Time::kGpu).has_value());
    EXPECT_FALSE(history.window(Time::kInterval).has_value());
    EXPECT_EQ(history.last_second(), 0U);
    EXPECT_EQ(history.csv(),
              "frame,fresh_pipelines,interval_ms,cpu_ms,gpu_ms,between_passes_ms,instances_visible,meshlets_tested,"
              "meshlets_drawn_phase1,meshlets_drawn_phase2,primitives_tested,primitives_drawn,rounds\n");
}

TEST(FrameHistory, MediansAreOfTheLastSecond) {
    FrameHistory history;
    for (std::uint64_t i = 0; i < 20; ++i) add(history, {i, 100.0, 50.0, 40.0, {{"draw", 30.0}}});
    EXPECT_EQ(history.last_second(), 10U);
    EXPECT_DOUBLE_EQ(*history.median(Time::kGpu), 40.0);
    for (std::uint64_t i = 20; i < 30; ++i) add(history, {i, 100.0, 5.0, 4.0, {{"draw", 3.0}}});
    EXPECT_DOUBLE_EQ(*history.median(Time::kInterval), 100.0);
    EXPECT_DOUBLE_EQ(*history.median(Time::kCpu), 5.0);
    EXPECT_DOUBLE_EQ(*history.median(Time::kGpu), 4.0) << "older frames don't count";
    EXPECT_DOUBLE_EQ(*history.median_of_pass(0), 3.0);
    const FrameHistory::Window all = *history.window(Time::kGpu);
    EXPECT_DOUBLE_EQ(all.min, 4.0);
    EXPECT_DOUBLE_EQ(all.median, 40.0);
    EXPECT_DOUBLE_EQ(all.p95, 40.0);
    EXPECT_DOUBLE_EQ(all.max, 40.0);
    // One frame may take longer than a second.
    add(history, {30, 2500.0, 7.0, 6.0, {}});
    EXPECT_EQ(history.last_second(), 1U);
    EXPECT_DOUBLE_EQ(*history.median(Time::kGpu), 6.0);
}

TEST(FrameHistory, OfAnEvenNumberOfFramesTheMedianIsBetweenTwo) {
    FrameHistory history;
    for (std::uint64_t i = 0; i < 4; ++i) add(history, {i, 10.0, 1.0 + static_cast<double>(i), 1.0, {}});
    EXPECT_DOUBLE_EQ(*history.median(Time::kCpu), 2.5);
}

TEST(FrameHistory, FramesThatMadePipelinesAreLeftOut) {
    FrameHistory history;
    add(history, {0, 541.0, 500.0, 423.0, {{"draw", 400.0}}, true});
    EXPECT_FALSE(history.median(Time::kGpu).has_value());
    EXPECT_FALSE(history.window_of_pass(0).has_value());
    add(history, {1, 10.0, 2.0, 3.0, {{"draw", 1.0}}});
    EXPECT_DOUBLE_EQ(*history.median(Time::kGpu), 3.0);
    EXPECT_DOUBLE_EQ(history.window(Time::kGpu)->max, 3.0);
    std::vector<float> series;
    history.series(Time::kGpu, series);
    ASSERT_EQ(series.size(), 2U);
    EXPECT_TRUE(std::isnan(series[0]));
    EXPECT_EQ(series[1], 3.0F);
}

TEST(FrameHistory, PassesComeAndGoInFrameOrder) {
    FrameHistory history;
    add(history, {0, 10.0, 1.0, 1.0, {{"cull", 1.0}, {"draw", 2.0}}});
    add(history, {1, 10.0, 1.0, 1.0, {{"decode", 9.0}, {"cull", 1.0}, {"hiz", 0.5}, {"draw", 2.0}, {"ui", 0.1}}});
    EXPECT_EQ(history.passes(), (std::vector<std::string>{"decode", "cull", "hiz", "draw", "ui"}));
    add(history, {2, 10.0, 1.0, 1.0, {{"cull", 3.0}, {"draw", 4.0}}});
    EXPECT_DOUBLE_EQ(*history.median_of_pass(0), 9.0) << "of those frames that have it";
    std::vector<float> series;
    history.series_of_pass(2, series);
    ASSERT_EQ(series.size(), 3U);
    EXPECT_TRUE(std::isnan(series[0]) && std::isnan(series[2]));
    EXPECT_EQ(series[1], 0.5F);
    // Once no frame here has it, it is gone, and another may have its place.
    for (std::uint64_t i = 3; i < 3 + FrameHistory::kFrames; ++i) {
        add(history, {i, 10.0, 1.0, 1.0, {{"cull", 3.0}, {"draw", 4.0}}});
    }
    EXPECT_EQ(history.passes(), (std::vector<std::string>{"cull", "draw"}));
    add(history, {999, 10.0, 1.0, 1.0, {{"cull", 3.0}, {"shade", 7.0}}});
    EXPECT_EQ(history.passes(), (std::vector<std::string>{"cull", "shade", "draw"}));
    history.series_of_pass(1, series);
    EXPECT_EQ(series.size(), FrameHistory::kFrames);
    EXPECT_EQ(series.back(), 7.0F);
    EXPECT_TRUE(std::isnan(series.front())) << "of the pass that had its place";
}

TEST(FrameHistory, MorePassesThanThereIsRoomForAreLeftOut) {
    FrameHistory history;
    std::vector<gpu::PassTime> many;
    for (std::size_t i = 0; i < FrameHistory::kMostPasses + 10; ++i) many.push_back({std::to_string(i), 1.0});
    add(history, {0, 10.0, 1.0, 1.0, many});
    EXPECT_EQ(history.passes().size(), FrameHistory::kMostPasses);
    EXPECT_EQ(history.passes().back(), std::to_string(FrameHistory::kMostPasses - 1));
}

// Results come back some frames later, and CPU times are those of the same frame.
TEST(FrameHistory, TimesOfAFrameBelongTogether) {
    FrameHistory history;
    history.submitted(7, 16.0, 1.0);
    history.submitted(8, std::nullopt, 2.0);
    history.submitted(9, 18.0, 3.0);
    render::FrameResult frame;
    frame.times.ms = 5.0;
    for (const std::uint64_t number : {7U, 8U, 6U}) {
        frame.number = number;
        history.add(frame, number != 8);
    }
    std::vector<float> cpu;
    std::vector<float> interval;
    std::vector<float> gpu;
    history.series(Time::kCpu, cpu);
    history.series(Time::kInterval, interval);
    history.series(Time::kGpu, gpu);
    EXPECT_EQ(cpu[0], 1.0F);
    EXPECT_EQ(cpu[1], 2.0F);
    EXPECT_TRUE(std::isnan(cpu[2])) << "nobody said when it was submitted";
    EXPECT_EQ(interval[0], 16.0F);
    EXPECT_TRUE(std::isnan(interval[1]));
    EXPECT_EQ(gpu[0], 5.0F);
    EXPECT_TRUE(std::isnan(gpu[1])) << "a device without timestamps";
}

TEST(FrameHistory, ExportsARowAFrame) {
    FrameHistory history;
    add(history, {3, 16.5, 1.25, 2.5, {{"cull, 1", 0.5}}});
    add(history, {4, 17.0, 1.5, 2.75, {{"draw", 1.0}}, true});
    EXPECT_EQ(history.csv(),
              "frame,fresh_pipelines,interval_ms,cpu_ms,gpu_ms,between_passes_ms,pass:draw_ms,\"pass:cull, 1_ms\","
              "instances_visible,meshlets_tested,meshlets_drawn_phase1,meshlets_drawn_phase2,primitives_tested,"
              "primitives_drawn,rounds\n"
              "3,0,16.5,1.25,2.5,2,,0.5,0,0,0,0,0,300,0\n"
              "4,1,17,1.5,2.75,1.75,1,,0,0,0,0,0,400,0\n");
    const Json json = history.json();
    EXPECT_EQ(json["columns"].size(), json["frames"][0].size());
    EXPECT_EQ(json["frames"].size(), 2U);
    EXPECT_TRUE(json["frames"][0][6].is_null());
    EXPECT_EQ(json["frames"][1][6], 1.0);
    history.clear();
    EXPECT_TRUE(history.json()["frames"].empty());
}

TEST(FrameHistory, SummaryHasWhatWasTimed) {
    FrameHistory history;
    EXPECT_EQ(history.summary().slowest(), nullptr);
    EXPECT_FALSE(history.summary().gpu_ms.has_value());
    for (std::uint64_t i = 0; i < 20; ++i) add(history, {i, 12.0, 5.0, 4.0, {{"cull", 1.0}, {"draw", 3.0}}});
    add(history, {20, 90.0, 5.0, 80.0, {{"cull", 1.0}, {"decode", 79.0}}, true});
    const FrameSummary summary = history.summary();
    EXPECT_DOUBLE_EQ(*summary.interval_ms, 12.0);
    EXPECT_DOUBLE_EQ(*summary.cpu_ms, 5.0);
    EXPECT_DOUBLE_EQ(*summary.gpu_ms, 4.0);
    EXPECT_DOUBLE_EQ(summary.most_ms, 12.0);
    ASSERT_EQ(summary.passes.size(), 3U) << "decode has no time: pipelines were made in its frame";
    EXPECT_EQ(summary.passes[0].name, "cull");
    EXPECT_DOUBLE_EQ(summary.passes[0].ms, 1.0);
    ASSERT_NE(summary.slowest(), nullptr);
    EXPECT_EQ(summary.slowest()->name, "draw");
    EXPECT_EQ(longest_text(summary), "longest: \"draw\" 3.00");
}

// Of each frame, and of those the median: no difference of medians, which would be 8 - (1 + 2) here.
TEST(FrameHistory, WhatIsBetweenPassesComesBehindThemAndMayTakeLongest) {
    FrameHistory history;
    add(history, {0, 12.0, 5.0, 8.0, {{"cull", 1.0}, {"draw", 0.5}}});
    add(history, {1, 12.0, 5.0, 5.0, {{"cull", 0.5}, {"draw", 2.0}}});
    add(history, {2, 12.0, 5.0, 8.5, {{"cull", 4.0}, {"draw", 2.0}}});
    const FrameSummary summary = history.summary();
    ASSERT_EQ(summary.passes.size(), 3U);
    EXPECT_EQ(summary.passes.back().name, gpu::kBetweenPasses);
    EXPECT_DOUBLE_EQ(summary.passes.back().ms, 2.5);
    EXPECT_EQ(summary.slowest(), &summary.passes.back());
    EXPECT_EQ(longest_text(summary), "longest: between passes 2.50");
    std::vector<float> series;
    history.series(Time::kBetweenPasses, series);
    EXPECT_EQ(series, (std::vector<float>{6.5F, 2.5F, 2.5F}));
    EXPECT_EQ(longest_text({}), "");
}

}  // namespace
}  // namespace sublet::app
