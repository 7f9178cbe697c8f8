// What `sublet bench` measures, and what it leaves behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "program_fixture.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Bench : public ProgramFixture {
  protected:
    Bench() { write_text(folder_ / "sphere.gltf", sphere_gltf(12).dump()); }
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
    const Json json = read_json("b.json");
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
    const Json json = read_json("b.json");
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["planned_runs"], 10'000);
    EXPECT_GT(json["runs"].size(), 0U);
    const std::string table = read_text(folder_ / "b.csv");
    EXPECT_NE(table.find("\n1,0,0,"), std::string::npos);
    EXPECT_TRUE(table.ends_with(",not done,,,,0\n"));
    EXPECT_EQ(folder_.entry_count(), 3) << "the scene, JSON and the table";
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> out(1);
    for (const char c : text) {
        if (c == at) {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    return out;
}

// The table has the same medians as JSON, and JSON the times of every timed frame, from which those follow.
TEST_F(Render, BenchTellsTimesAsATableAndOfEachFrame) {
    const ProcessResult result =
        run({"bench", "sphere.gltf", "--size", "64x48", "--frames", "5", "--warmup", "2", "--vary",
             "backend=compact,direct", "--vary", "cull-cone=on,off", "--json", "b.json", "--csv", "b.csv"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = read_json("b.json");
    std::vector<std::string> rows = split(read_text(folder_ / "b.csv"), '\n');
    ASSERT_EQ(rows.back(), "");
    rows.pop_back();
    ASSERT_EQ(rows.front(), "run,backend,cull-cone,pass,median_ms,min_ms,p95_ms,frames");
    std::size_t row = 1;
    for (std::size_t i = 0; i < json["runs"].size(); ++i) {
        const Json& run = json["runs"][i];
        const Json& series = run["series"];
        const std::size_t timed = run["frames_timed"];
        EXPECT_EQ(series["frames"].size(), timed);
        EXPECT_EQ(series["cpu_ms"].size(), timed);
        std::vector<double> gpu = series["gpu_ms"];
        EXPECT_EQ(gpu.size(), timed);
        std::sort(gpu.begin(), gpu.end());
        ASSERT_FALSE(gpu.empty());
        EXPECT_EQ(gpu.front(), run["gpu_ms"]["min"]);
        EXPECT_TRUE(std::is_sorted(series["frames"].begin(), series["frames"].end()));
        ASSERT_EQ(series["passes"].size(), run["passes"].size());
        const auto expect_row = [&](const std::string& pass, const Json& median) {
            ASSERT_LT(row, rows.size());
            const std::vector<std::string> cells = split(rows[row++], ',');
            ASSERT_EQ(cells.size(), 8U);
            EXPECT_EQ(cells[0], std::to_string(i + 1));
            EXPECT_EQ(cells[1], run["vary"]["backend"]);
            EXPECT_EQ(cells[2], run["vary"]["cull-cone"]);
            EXPECT_EQ(cells[3], pass);
            EXPECT_NEAR(std::stod(cells[4]), median.get<double>(), 1e-5 * median.get<double>());
        };
        expect_row("whole frame (GPU)", run["gpu_ms"]["median"]);
        expect_row("whole frame (CPU)", run["cpu_ms"]["median"]);
        for (std::size_t pass = 0; pass < run["passes"].size(); ++pass) {
            expect_row(run["passes"][pass]["name"], run["passes"][pass]["median_ms"]);
            EXPECT_EQ(series["passes"][pass]["name"], run["passes"][pass]["name"]);
            EXPECT_EQ(series["passes"][pass]["ms"].size(), timed);
        }
        expect_row("between passes", run["between_passes"]["median_ms"]);
    }
    EXPECT_EQ(row, rows.size());
    EXPECT_EQ(run({"bench", "sphere.gltf", "--csv", "none/b.csv"}).status, 1);
    EXPECT_EQ(run({"bench", "sphere.gltf", "--csv", "-"}).status, 2);
    EXPECT_EQ(run({"bench", "sphere.gltf", "--csv", "b.txt"}).status, 2);
    EXPECT_EQ(run({"bench", "sphere.gltf", "--csv", "b.csv", "--json", "b.csv"}).status, 1);
    EXPECT_EQ(run({"bench", "--micro", "hiz", "--csv", "b.csv"}).status, 2);
}

TEST_F(Render, BenchRunsTheProductOfWhatVaries) {
    const ProcessResult result = run({"bench", "sphere.gltf", "--size", "64x48", "--frames", "5", "--warmup", "2",
                                      "--vary", "cull-cone=on,off", "--vary", "backend=mdi,direct", "--vary",
                                      "without=,draw-count", "--vary", "grid=,2x1x1", "--json", "bench.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("cull-cone"), std::string::npos) << result.out;
    const Json json = read_json("bench.json");
    ASSERT_EQ(json["runs"].size(), 16U);
    std::set<std::string> combinations;
    for (const Json& run : json["runs"]) {
        expect_run(run);
        ASSERT_EQ(run["vary"].size(), 4U);
        combinations.insert(run["vary"].dump());
        EXPECT_EQ(run["frames"], 5);
        for (const auto& [name, value] : run["vary"].items()) {
            const Json& ran = run["settings"][name];
            EXPECT_EQ(ran.is_null() ? "" : ran.get<std::string>(), value.get<std::string>()) << name;
        }
    }
    EXPECT_EQ(combinations.size(), 16U);
}

TEST_F(Render, BenchOfOneBuildingBlock) {
    for (const char* name : {"scan", "tiling"}) {
        const ProcessResult result = run({"bench", "--micro", name, "--json", "micro.json"});
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_TRUE(result.out.starts_with(name)) << result.out;
        const Json json = read_json("micro.json");
        EXPECT_EQ(json["micro"], name);
        EXPECT_TRUE(json["device"]["name"].is_string());
        EXPECT_TRUE(json.contains("validation_messages"));
        ASSERT_GE(json["runs"].size(), 10U);
        for (const Json& timed : json["runs"]) {
            EXPECT_GT(timed["ms"]["min"].get<double>(), 0.0) << timed;
            EXPECT_LE(timed["ms"]["min"], timed["ms"]["median"]) << timed;
            EXPECT_LE(timed["ms"]["median"], timed["ms"]["p95"]) << timed;
        }
    }
    EXPECT_EQ(run({"bench", "--micro", "scan", "--without", "timestamps"}).status, 1);
}

TEST_F(Render, BenchOfRasterisation) {
    const ProcessResult result = run({"bench", "--micro", "raster", "--raster-limit", "100", "--json", "micro.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const char* text : {"Mtriangles/s", "Mpixels/s", "The best raster limit", "is suited by --backend "}) {
        EXPECT_NE(result.out.find(text), std::string::npos) << text;
    }
    const Json json = read_json("micro.json");
    std::map<double, std::set<std::uint64_t>> limits;  // of each size
    for (const Json& timed : json["runs"]) {
        const std::string backend = timed["backend"];
        if (!timed["unavailable"].is_null()) {
            EXPECT_NE(backend, "raster");
            continue;
        }
        EXPECT_GT(timed["ms"]["min"].get<double>(), 0.0) << timed;
        EXPECT_GE(timed["frames_timed"], 3) << timed;
        const auto triangles = timed["triangles"].get<double>();
        const auto pixels = timed["pixels"].get<double>();
        EXPECT_NEAR(pixels, triangles * timed["area"].get<double>(), 1e-6 * pixels) << timed;
        EXPECT_NEAR(timed["triangles_per_second"].get<double>() * timed["ms"]["median"].get<double>() * 1e-3, triangles,
                    1e-6 * triangles)
            << timed;
        // Sheets of 16 by 9 before one another, none with gaps: a row and a column more or less, by rounding. What
        // covers no pixel's centre falls out, in compute or by culling.
        const double sheet = pixels / timed["layers"].get<double>();
        EXPECT_NEAR(timed["covered_pixels"].get<double>(), sheet, (4.0 / 3.0 + 3.0 / 4.0) * std::sqrt(sheet)) << timed;
        const auto drawn = timed["primitives_drawn"].get<double>();
        if (timed["area"] >= 3.0 || backend == "mdi" || !timed["cull-primitives"].get<bool>()) {
            EXPECT_EQ(drawn, triangles) << timed;
        } else {
            EXPECT_GE(drawn, std::min(triangles, 0.7 * sheet)) << timed;
            EXPECT_LE(drawn, triangles) << timed;
        }
        if (backend == "raster") limits[timed["area"]].insert(timed["raster-limit"].get<std::uint64_t>());
    }
    EXPECT_EQ(limits.size(), 9U);
    for (const auto& [area, tried] : limits) {
        EXPECT_EQ(tried, (std::set<std::uint64_t>{0, 4, 16, 64, 100, 256, 1024, 16384})) << area;
    }
    EXPECT_TRUE(limits.begin()->second.contains(json["best"]["raster-limit"].get<std::uint64_t>()));
    EXPECT_TRUE(json["best"]["backend"].is_string());

    const ProcessResult without = run({"bench", "--micro", "raster", "--without", "shader-int64"});
    EXPECT_EQ(without.status, 1);
    EXPECT_NE(without.err.find("64-bit integers"), std::string::npos) << without.err;
}

TEST_F(Render, BenchWithoutVaryIsOneRun) {
    const ProcessResult result =
        run({"bench", "sphere.gltf", "--size", "64x48", "--frames", "4", "--warmup", "0", "--json", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = Json::parse(result.out);
    ASSERT_EQ(json["runs"].size(), 1U);
    expect_run(json["runs"][0]);
    EXPECT_TRUE(json["runs"][0]["vary"].empty());
}

}  // namespace
}  // namespace sublet::test
