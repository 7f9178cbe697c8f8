// Light from a picture: --environment FILE of render and bench.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "../unit/scene/environment_files.h"
#include "base/path_text.h"
#include "program_fixture.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Environment : public Render {};

TEST_F(Environment, APictureLightsTheScene) {
    const auto light = [](std::uint32_t x, std::uint32_t y) {
        return scene::testing::Radiance{1.0F, x == 0 && y == 0 ? 1e6F : 0.0F, 0.0F};
    };
    write_text(folder_ / "red.hdr", scene::testing::hdr_file(32, 16, light));
    const ProcessResult result =
        run({"render", "sphere.gltf", "-o", "red.png", "--json", "-", "--size", "64x64", "--environment", "red.hdr"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.err.find("note: "), std::string::npos) << result.err;
    const Json red = Json::parse(result.out);
    EXPECT_EQ(red["settings"]["environment"], path_text(folder_ / "red.hdr"));
    EXPECT_EQ(red["settings"]["sun"], "off");
    EXPECT_GT(red["environment_ms"].get<double>(), 0.0);
    EXPECT_GT(red["memory"]["purposes"]["environment"].get<std::uint64_t>(), 0U);
    ASSERT_EQ(red["notes"].size(), 1U) << red["notes"];
    EXPECT_NE(red["notes"][0].get<std::string>().find("above 65504"), std::string::npos);
    const app::ColorImage seen = app::read_png(folder_ / "red.png");
    EXPECT_GT(seen.rgba[0], 200);
    EXPECT_LT(seen.rgba[1], 60);

    write_text(folder_ / "square.hdr", scene::testing::hdr_file(32, 32, light));
    write_text(folder_ / "no.exr", "not OpenEXR");
    const auto error = [this](const std::string& environment) {
        const ProcessResult result = run({"render", "sphere.gltf", "-o", "x.png", "--environment", environment});
        EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
        return std::to_string(result.status) + " " + result.err;
    };
    EXPECT_EQ(error("square.hdr").find("1 error: " + path_text(folder_ / "square.hdr") + ": size: is 32x32"), 0U);
    EXPECT_EQ(error("no.exr").find("1 error: " + path_text(folder_ / "no.exr") + ": format: "), 0U);
    EXPECT_EQ(error("none.hdr").find("1 error: " + path_text(folder_ / "none.hdr") + ": "), 0U);
    EXPECT_EQ(error("skyy").find("2 error: --environment: 'skyy' is not sky, none or a file"), 0U);
}

TEST_F(Environment, BenchTimesThePreparationOfEachEnvironment) {
    const auto light = [](std::uint32_t, std::uint32_t) { return scene::testing::Radiance{1.0F, 1.0F, 1.0F}; };
    write_text(folder_ / "white.hdr", scene::testing::hdr_file(32, 16, light));
    const ProcessResult result = run({"bench", "sphere.gltf", "--json", "-", "--size", "32x32", "--frames", "2",
                                      "--warmup", "2", "--vary", "environment=sky,white.hdr"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json runs = Json::parse(result.out)["runs"];
    ASSERT_EQ(runs.size(), 2U);
    for (const Json& one : runs) EXPECT_GT(one["environment_ms"].get<double>(), 0.0);
    EXPECT_NE(runs[0]["environment_ms"], runs[1]["environment_ms"]);
}

}  // namespace
}  // namespace sublet::test
