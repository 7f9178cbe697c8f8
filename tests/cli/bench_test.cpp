// What `sublet bench` leaves behind.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

class Bench : public ::testing::Test {
  protected:
    void SetUp() override { write_text(folder_ / "sphere.gltf", sphere_gltf(12).dump()); }
    ProcessResult run(const std::vector<std::string>& arguments) {
        return sublet(arguments, {.folder = folder_.path()});
    }

    TemporaryFolder folder_;
};

// scripts/plot_bench.py takes the table and JSON alike, and ends with one line where it can't.
TEST_F(Bench, IsPlotted) {
    if (!has_program("python3")) GTEST_SKIP() << "python3 is not there";
    const ProcessResult result = run({"bench", "sphere.gltf", "--backend", "mdi", "--size", "64x48", "--frames", "2",
                                      "--vary", "cull-cone=on,off", "--json", "b.json", "--csv", "b.csv"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto plot = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"python3", SUBLET_PLOT_BENCH});
        return test::run(arguments, {.folder = folder_.path()});
    };
    for (const char* file : {"b.json", "b.csv"}) {
        const ProcessResult plotted = plot({file, "-o", "b.svg"});
        EXPECT_EQ(plotted.status, 0) << plotted.err;
        const std::string drawing = read_text(folder_ / "b.svg");
        for (const char* words : {">cull-cone<", ">on<", ">off<", ">draw 1<", "median GPU time of a frame, ms"}) {
            EXPECT_NE(drawing.find(words), std::string::npos) << file << " " << words;
        }
        EXPECT_EQ(drawing.find("whole frame"), std::string::npos) << "it is no pass";
    }
    EXPECT_EQ(plot({"b.json", "--lines", "-o", "lines.svg"}).status, 0);
    write_text(folder_ / "c.csv", "a,b\n1,2\n");
    write_text(folder_ / "c.json", "{\"runs\": [1]}");
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"none.csv", "-o", "c.svg"}, "none.csv: No such file"},
        {{"c.csv", "-o", "c.svg"}, "c.csv: is not what `sublet bench` writes"},
        {{"c.json", "-o", "c.svg"}, "c.json: is not what `sublet bench` writes"},
        {{"sphere.gltf", "-o", "c.svg"}, "is not what `sublet bench` writes"},
        {{"b.csv", "--lines", "-o", "c.svg"}, "--lines draws single frames, which only JSON has"},
        {{"b.csv", "-o", "none/c.svg"}, "none/c.svg: No such file"},
    };
    for (const auto& [arguments, message] : wrong) {
        const ProcessResult plotted = plot(arguments);
        EXPECT_EQ(plotted.status, 1) << message;
        EXPECT_EQ(plotted.error_lines().size(), 1U) << plotted.err;
        EXPECT_NE(plotted.err.find(message), std::string::npos) << plotted.err;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "c.svg"));
}

}  // namespace
}  // namespace sublet::test
