#include "app/view/compared_times.h"

#include <gtest/gtest.h>

namespace sublet::app {
namespace {

FrameSummary summary(double gpu_ms, std::vector<FrameSummary::Pass> passes) {
    FrameSummary out;
    out.gpu_ms = gpu_ms;
    out.passes = std::move(passes);
    return out;
}

TEST(ComparedTimes, ShowsTheFrameAndThePassesThatDiffer) {
    const FrameSummary a = summary(5.0, {{"cull", 1.0}, {"draw", 3.0}, {"shade", 1.0}});
    const FrameSummary b = summary(4.0, {{"cull", 1.02}, {"raster", 0.5}, {"raster large", 0.25}, {"shade", 2.0}});
    const std::vector<ComparedTime> times = compare_times(a, b);
    std::vector<std::string> names;
    for (const ComparedTime& time : times) names.push_back(time.name);
    EXPECT_EQ(names, (std::vector<std::string>{"whole frame", "raster", "raster large", "draw", "shade"}));
    EXPECT_EQ(times[0].a, 5.0);
    EXPECT_EQ(times[0].b, 4.0);
    EXPECT_FALSE(times[1].a);
    EXPECT_EQ(times[1].b, 0.5);
    EXPECT_EQ(times[3].a, 3.0);
    EXPECT_FALSE(times[3].b);
    const Json json = compared_json(times);
    EXPECT_EQ(json[1]["name"], "raster");
    EXPECT_TRUE(json[1]["a_ms"].is_null());
    EXPECT_EQ(json[1]["b_ms"], 0.5);
}

// Both are shown at one time of the animations: how far they have played since B was kept is no difference.
TEST(ComparedTimes, WhereAnimationsAreIsNoDifference) {
    for (const render::Setting& setting : render::settings_table()) {
        const bool playback = setting.name == "time" || setting.name == "speed";
        EXPECT_EQ(is_compared(setting), setting.scope == render::SettingScope::kFrame && !playback) << setting.name;
    }
    render::FrameSettings kept, now;
    kept.time = 1.0;
    kept.cull_cone = false;
    now.time = 7.5;
    now.speed = 2.0;
    const render::FrameSettings shown = at_time_of(kept, now);
    EXPECT_EQ(shown.time, 7.5);
    EXPECT_EQ(shown.speed, 2.0);
    EXPECT_FALSE(shown.cull_cone);
}

TEST(ComparedTimes, SaysNothingOfWhatWasNotTimed) {
    const FrameSummary a = summary(5.0, {{"draw", 3.0}});
    EXPECT_TRUE(compare_times(a, {}).empty());
    EXPECT_TRUE(compare_times({}, a).empty());
    EXPECT_EQ(compare_times(a, a).size(), 1U) << "the frame alone: no pass differs";
}

}  // namespace
}  // namespace sublet::app
