// What `sublet bench` leaves behind.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

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

TEST_F(Bench, ThatFailsLeavesTheRunsBefore) {
    const auto bench = [&](const std::string& backends) {
        return run({"bench", "sphere.gltf", "--size", "64x48", "--frames", "2", "--without", "mesh-shader", "--vary",
                    "backend=" + backends, "--json", "b.json", "--csv", "b.csv"});
    };
    const ProcessResult result = bench("mdi,mesh-sublets,direct");
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_NE(result.err.find("bench stopped in run 2 of 3 (backend=mesh-sublets)"), std::string::npos) << result.err;
    EXPECT_NE(result.out.find("GPU median"), std::string::npos) << result.out;
    const Json json = Json::parse(read_text(folder_ / "b.json"));
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["planned_runs"], 3);
    ASSERT_EQ(json["runs"].size(), 1U);
    EXPECT_EQ(json["runs"][0]["vary"]["backend"], "mdi");
    const std::string table = read_text(folder_ / "b.csv");
    EXPECT_NE(table.find("\n1,mdi,whole frame (GPU),"), std::string::npos) << table;
    EXPECT_TRUE(table.ends_with("\n2,mesh-sublets,not done,,,,0\n3,direct,not done,,,,0\n")) << table;

    // Where nothing was done, what was there stays.
    EXPECT_EQ(bench("mesh-sublets,mdi").status, 1);
    EXPECT_EQ(read_text(folder_ / "b.csv"), table);
}

TEST_F(Bench, ThatIsInterruptedLeavesTheRunsThatWereDone) {
    std::string values;
    for (int i = 0; i < 100; ++i) values += (i == 0 ? "" : ",") + std::to_string(i);
    Process process({sublet_program(), "bench", "sphere.gltf", "--size", "32x24", "--frames", "1", "--warmup", "0",
                     "--cull-occlusion", "off", "--vary", "time=" + values, "--vary", "speed=" + values, "--json",
                     "b.json", "--csv", "b.csv"},
                    {.folder = folder_.path(), .interruptible = true});
    // The table is the last of both to be written.
    while (process.running() && !std::filesystem::exists(folder_ / "b.csv")) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_TRUE(process.interrupt());
    const ProcessResult result = process.wait();
    EXPECT_EQ(result.status, kInterrupted) << result.err;
    const Json json = Json::parse(read_text(folder_ / "b.json"));
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["planned_runs"], 10'000);
    EXPECT_GT(json["runs"].size(), 0U);
    const std::string table = read_text(folder_ / "b.csv");
    EXPECT_NE(table.find("\n1,0,0,"), std::string::npos);
    EXPECT_TRUE(table.ends_with(",not done,,,,0\n"));
    EXPECT_EQ(folder_.entry_count(), 3) << "the scene, JSON and the table";
}

}  // namespace
}  // namespace sublet::test
