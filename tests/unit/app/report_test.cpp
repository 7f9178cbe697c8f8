#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "app/output.h"
#include "app/session.h"
#include "app/text.h"
#include "base/error.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

TEST(Text, NumbersReadWell) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(63600000), "63,600,000");
    EXPECT_EQ(fixed(1.005, 1), "1.0");
    EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN(), 3), "-");
    EXPECT_EQ(significant(0.0001234, 3), "0.000123");
    EXPECT_EQ(byte_text(512), "512 B");
    EXPECT_EQ(byte_text(1536), "1.5 KiB");
    EXPECT_EQ(byte_text(std::uint64_t{5} << 30U), "5.0 GiB");
}

// A part of a whole is never in a smaller unit than the whole: "21.8 MiB of 23.5" would be taken for nearly all.
TEST(Text, BytesOfAWholeShareItsUnit) {
    constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
    EXPECT_EQ(byte_text_of(21 * kMiB + 800 * 1024, 23 * 1024 * kMiB + 512 * kMiB), "0.021 of 23.5 GiB");
    EXPECT_EQ(byte_text_of(0, 8 * 1024 * kMiB), "0.0 of 8.0 GiB");
    EXPECT_EQ(byte_text_of(1, 8 * 1024 * kMiB), "under 0.001 of 8.0 GiB");
    EXPECT_EQ(byte_text_of(6 * 1024 * kMiB, 8 * 1024 * kMiB), "6.0 of 8.0 GiB");
    EXPECT_EQ(byte_text_of(3 * kMiB, 2 * kMiB), "3.0 of 2.0 MiB");
    EXPECT_EQ(byte_text_of(3 * 1024 * kMiB, 512 * kMiB), "3.0 of 0.5 GiB") << "more than there is: the larger's unit";
    EXPECT_EQ(byte_text_of(100, 1000), "100 of 1000 B");
}

TEST(Text, FieldsOfACsvFileAreQuotedWhereTheyMustBe) {
    EXPECT_EQ(csv_field("cull meshlets 1"), "cull meshlets 1");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(csv_field(""), "");
}

TEST(Text, TablesAlignCharactersNotBytes) {
    Table table({"name", "n"});
    table.add({"Käfer", "1"});
    table.add({"x", "1000"});
    std::ostringstream out;
    table.print(out, 1);
    EXPECT_EQ(out.str(), " name      n\n Käfer     1\n x      1000\n");
}

TEST(Summary, IsMedianLeastAnd95thPercentile) {
    EXPECT_FALSE(summarize({}).has_value());
    std::vector<double> samples;
    for (int i = 100; i >= 1; --i) samples.push_back(i);
    const Summary hundred = *summarize(samples);
    EXPECT_EQ(hundred.median, 50.5);
    EXPECT_EQ(hundred.min, 1.0);
    EXPECT_EQ(hundred.p95, 95.0);
    const Summary three = *summarize({3.0, 1.0, 2.0});
    EXPECT_EQ(three.median, 2.0);
    EXPECT_EQ(three.p95, 3.0);
    const Summary one = *summarize({7.0});
    EXPECT_EQ(one.median, 7.0);
    EXPECT_EQ(one.min, 7.0);
    EXPECT_EQ(one.p95, 7.0);
}

TEST(PassSamples, StayInFrameOrderWhenAPassIsNotAlwaysThere) {
    std::vector<PassSamples> passes;
    render::FrameResult frame;
    frame.times.passes = {{"cull", 1.0}, {"draw", 2.0}};
    add_pass_times(frame, passes);
    frame.times.passes = {{"decode", 5.0}, {"cull", 1.5}, {"resolve", 0.5}, {"draw", 2.5}};
    add_pass_times(frame, passes);
    ASSERT_EQ(passes.size(), 4U);
    EXPECT_EQ(passes[0].name, "decode");
    EXPECT_EQ(passes[1].name, "cull");
    EXPECT_EQ(passes[1].ms, (std::vector<double>{1.0, 1.5}));
    EXPECT_EQ(passes[2].name, "resolve");
    EXPECT_EQ(passes[3].name, "draw");
}

TEST(PassSamples, LeaveOutTheTimesOfFramesWithFreshPipelines) {
    std::vector<PassSamples> passes;
    render::FrameResult frame;
    frame.fresh_pipelines = true;
    frame.times.passes = {{"cull", 100.0}, {"draw", 2.0}};
    add_pass_times(frame, passes);
    ASSERT_EQ(passes.size(), 2U) << "the passes are known";
    EXPECT_TRUE(passes[0].ms.empty());
    frame.fresh_pipelines = false;
    frame.times.passes = {{"cull", 1.0}};
    add_pass_times(frame, passes);
    EXPECT_EQ(passes[0].ms, std::vector<double>{1.0});
    RunResult run;
    run.passes = passes;
    const Json json = run_json(run, {});
    EXPECT_EQ(json["passes"][0]["median_ms"], 1.0);
    EXPECT_TRUE(json["passes"][1]["median_ms"].is_null());
    EXPECT_TRUE(json["gpu_ms"]["median"].is_null());
}

// Of each frame the rest that no pass takes, and of those the median.
TEST(BetweenPasses, IsWhatEachFrameTakesOutsideOfItsPasses) {
    EXPECT_DOUBLE_EQ((gpu::FrameTimes{1, 133.0, {{"draw 1", 10.5}, {"shade", 20.5}}}.between_passes()), 102.0);
    EXPECT_EQ((gpu::FrameTimes{1, 2.0, {{"outer", 1.5}, {"inner", 1.0}}}.between_passes()), 0.0) << "passes that nest";
    RunResult run;
    for (const gpu::FrameTimes& times : {gpu::FrameTimes{1, 8.0, {{"cull", 1.0}, {"draw", 0.5}}},
                                         gpu::FrameTimes{2, 5.0, {{"cull", 0.5}, {"draw", 2.0}}},
                                         gpu::FrameTimes{3, 9.0, {{"cull", 4.0}, {"draw", 2.0}}}}) {
        add_gpu_times(times, run);
    }
    const Json json = run_json(run, {});
    EXPECT_EQ(json["gpu_ms"]["median"], 8.0);
    EXPECT_EQ(json["between_passes"]["median_ms"], 3.0);
    EXPECT_EQ(json["between_passes"]["min_ms"], 2.5);
    EXPECT_EQ(json["between_passes"]["p95_ms"], 6.5);
    EXPECT_TRUE(json["passes"].empty()) << "those are passes alone";
    EXPECT_TRUE(run_json({}, {})["between_passes"]["median_ms"].is_null()) << "a device without timestamps";
}

TEST(Validation, AnyMessageIsAnError) {
    EXPECT_NO_THROW(require_no_validation_messages(std::nullopt, ""));
    EXPECT_NO_THROW(require_no_validation_messages(0, ""));
    const std::string message =
        test::message_of<Error>([] { require_no_validation_messages(3, "a write after a write"); });
    EXPECT_NE(message.find("3 messages"), std::string::npos) << message;
    EXPECT_NE(message.find("a write after a write"), std::string::npos) << message;
}

TEST(Outputs, AreCheckedBeforeTheWork) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "in.glb", "in");
    const auto check = [](const std::filesystem::path& output, const std::filesystem::path& other = {}) {
        check_output({"--output", output}, {{"SCENE", other}});
    };
    EXPECT_NO_THROW(check(folder / "new.sublet", folder / "in.glb"));
    EXPECT_THROW(check(folder.path()), Error);
    EXPECT_THROW(check(folder / "none" / "a"), Error);
    EXPECT_THROW(check(""), Error);
    EXPECT_THROW(check(folder / "in.glb", folder / "in.glb"), Error);
    EXPECT_THROW(check(folder.path() / "." / "in.glb", folder / "in.glb"), Error);
    EXPECT_THROW(check(folder / "new.exr", folder.path() / "." / "new.exr"), Error) << "neither is there yet";
    EXPECT_THROW(Output("/no/such/folder/x.json"), Error);
}

TEST(Outputs, JsonIsValidWhateverANameHolds) {
    const test::TemporaryFolder folder;
    const Output out((folder / "x.json").string());
    out.write_json({{"name", "\xff\xfe broken \x01"}, {"nothing", std::nan("")}});
    const Json json = Json::parse(test::read_text(folder / "x.json"));
    EXPECT_EQ(json["program"], "sublet");
    EXPECT_EQ(json["version"], kVersion);
    EXPECT_TRUE(json["nothing"].is_null());
    EXPECT_TRUE(json["name"].is_string());
}

}  // namespace
}  // namespace sublet::app
