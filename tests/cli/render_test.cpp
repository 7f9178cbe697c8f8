// The commands that draw, on whatever Vulkan device there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/image_io.h"
#include "gltf_text.h"
#include "process.h"
#include "render/settings/settings.h"
#include "render/shade/shade.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Render : public ::testing::Test {
  protected:
    Render() { write_text(folder_ / "sphere.gltf", sphere_gltf(24).dump()); }

    ProcessResult run(const std::vector<std::string>& arguments) const {
        return sublet(arguments, {.folder = folder_.path()});
    }
    // `render sphere.gltf -o NAME.png --json NAME.json` before a plain background and more; its JSON.
    Json render(const std::string& name, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"render", "sphere.gltf", "-o", name + ".png", "--json", name + ".json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        if (std::find(more.begin(), more.end(), "--environment") == more.end()) {
            arguments.insert(arguments.end(), {"--environment", "none"});
        }
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? Json::parse(read_text(folder_ / (name + ".json"))) : Json();
    }
    app::ColorImage picture(const std::string& name) const { return app::read_png(folder_ / (name + ".png")); }

    TemporaryFolder folder_;
};

const std::vector<std::string> kRunKeys{"device",     "settings",      "size",          "frames",
                                        "gpu_ms",     "cpu_ms",        "passes",        "counters",
                                        "depth_ties", "snapped_faces", "memory",        "validation_messages",
                                        "notes",      "picked",        "between_passes"};

void expect_run(const Json& run) {
    for (const std::string& key : kRunKeys) EXPECT_TRUE(run.contains(key)) << key;
    EXPECT_TRUE(run["device"]["name"].is_string());
    EXPECT_TRUE(run["device"]["driver"].is_string());
    for (const render::Setting& setting : render::settings_table()) {
        EXPECT_TRUE(run["settings"].contains(setting.name)) << setting.name;
    }
    for (const char* times : {"gpu_ms", "cpu_ms"}) {
        for (const char* key : {"median", "min", "p95"}) EXPECT_GT(run[times][key].get<double>(), 0.0) << times << key;
    }
    EXPECT_LE(run["gpu_ms"]["min"], run["gpu_ms"]["median"]);
    EXPECT_LE(run["gpu_ms"]["median"], run["gpu_ms"]["p95"]);
    ASSERT_FALSE(run["passes"].empty());
    for (const Json& pass : run["passes"]) {
        for (const char* key : {"name", "median_ms", "min_ms", "p95_ms"}) EXPECT_TRUE(pass.contains(key)) << key;
    }
    for (const char* key : {"instances", "instances_visible", "meshlets_tested", "meshlets_drawn_phase1",
                            "meshlets_drawn_phase2", "primitives_tested", "primitives_drawn", "overflow", "rounds"}) {
        EXPECT_TRUE(run["counters"][key].is_number_unsigned()) << key;
    }
    EXPECT_EQ(run["counters"]["overflow"], 0);
    EXPECT_EQ(run["counters"]["rounds"], 1);
    EXPECT_EQ(run["counters"]["instances"], 2);
    EXPECT_GT(run["counters"]["primitives_drawn"], 0);
}

double background_share(const app::ColorImage& image) {
    std::size_t background = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        background += std::equal(image.rgba.begin() + static_cast<std::ptrdiff_t>(i),
                                 image.rgba.begin() + static_cast<std::ptrdiff_t>(i + 4), render::kBackgroundColor)
                          ? 1
                          : 0;
    }
    return 4.0 * static_cast<double>(background) / static_cast<double>(image.rgba.size());
}

TEST_F(Render, WritesAPictureItsDepthAndJson) {
    const Json json = render("a", {"--size", "161x91", "--depth", "a.pfm", "--frames", "3"});
    expect_run(json);
    EXPECT_EQ(json["size"], Json::array({161, 91}));
    EXPECT_EQ(json["frames"], 3);
    EXPECT_GT(json["frames_timed"], 0);
    EXPECT_LT(json["frames_timed"], 3) << "pipelines were compiled in the first";
    EXPECT_TRUE(json["depth_ties"].is_null());
    EXPECT_TRUE(json["snapped_faces"].is_null());
    EXPECT_TRUE(json["validation_messages"].is_null());
    EXPECT_NE(json["settings"]["backend"], "auto") << "what really ran";
    EXPECT_FALSE(json["settings"]["camera"].is_null());
    EXPECT_FALSE(json["settings"]["near"].is_null());
    const app::ColorImage image = picture("a");
    EXPECT_EQ(image.width, 161U);
    EXPECT_EQ(image.height, 91U);
    EXPECT_GT(background_share(image), 0.3);
    EXPECT_LT(background_share(image), 0.95);
    const std::string depth = read_text(folder_ / "a.pfm");
    EXPECT_EQ(depth.substr(0, 11), "Pf\n161 91\n-");
}

// Two spheres, at the origin and to the right of it.
TEST_F(Render, SaysWhyAPictureIsBlank) {
    const auto notes = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"render", "sphere.gltf", "-o", "a.png", "--json", "a.json", "--size",
                                             "160x90", "--environment", "none"});
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        const Json json = Json::parse(read_text(folder_ / "a.json"));
        EXPECT_EQ(json["notes"].empty(), background_share(picture("a")) < 1.0);
        for (const Json& said : json["notes"]) {
            EXPECT_NE(result.err.find("note: " + said.get<std::string>() + "\n"), std::string::npos) << result.err;
        }
        return json["notes"];
    };
    const std::string blank = "the picture shows nothing of the scene: ";
    for (const char* backend : {"auto", "direct", "compact"}) {
        SCOPED_TRACE(backend);
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.end(), {"--backend", backend});
            return notes(more);
        };
        EXPECT_EQ(with({}), Json::array());
        EXPECT_EQ(with({"--camera", "0,0,5,0,0,20"}), Json({blank + "all of the scene lies outside of the view"}));
        EXPECT_EQ(with({"--camera", "0,0,0,-1,0,0"}),
                  Json({blank + "what lies within the view faces away, and its materials are not double-sided"}))
            << "from within";
        EXPECT_EQ(
            with({"--camera", "0,0,1e6,0,0,0"}),
            Json({blank + "what lies within the view faces away, or is too small to cover the middle of a pixel"}));
        EXPECT_EQ(with({"--hide", "0-1"}), Json({blank + "all of the scene is hidden (--hide, --isolate)"}));
    }
}

TEST_F(Render, TheSettingsInJsonRepeatThePicture) {
    const Json json = render("a", {"--size", "64x48", "--cull-cone", "off", "--projection", "orthographic"});
    std::vector<std::string> arguments{"--size", "64x48"};
    for (const auto& [name, value] : json["settings"].items()) {
        if (value.is_null()) continue;
        arguments.push_back("--" + name);
        arguments.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    EXPECT_EQ(render("b", arguments)["settings"], json["settings"]);
    EXPECT_EQ(picture("a").rgba, picture("b").rgba);
}

TEST_F(Render, EveryBackendOfTheDeviceGivesTheSamePicture) {
    const Json devices = Json::parse(run({"devices", "--json", "-"}).out)["devices"];
    const Json reference = render("direct", {"--backend", "direct", "--size", "200x120", "--cull-instances", "off",
                                             "--cull-frustum", "off", "--cull-cone", "off"});
    bool usable = false;
    for (const Json& device : devices) {
        if (device["name"] != reference["device"]["name"]) continue;
        usable = true;
        for (const auto& [name, reason] : device["backends"].items()) {
            if (!reason.is_null()) continue;
            const Json json = render(name, {"--backend", name, "--size", "200x120"});
            EXPECT_EQ(json["settings"]["backend"], name);
            EXPECT_EQ(run({"compare", "direct.png", name + ".png"}).status, 0) << name;
        }
    }
    EXPECT_TRUE(usable);
}

TEST_F(Render, ABackendThatCantBeHadNamesTheNearestThatCan) {
    const ProcessResult result = run({"render", "sphere.gltf", "--size", "64x48", "--without", "mesh-shader",
                                      "--backend", "task-flat", "-o", "a.png"});
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
    EXPECT_NE(result.err.find("backend task-flat: this device has no mesh shaders"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("use compact"), std::string::npos) << result.err;
    EXPECT_EQ(
        render("a", {"--size", "64x48", "--without", "mesh-shader", "--backend", "compact"})["settings"]["backend"],
        "compact");
}

// Its pictures are never plain, unless that is asked for, to time it.
TEST_F(Render, TellsWhatItsStartTook) {
    const Json whole = render("whole", {"--size", "64x48", "--frames", "1"});
    EXPECT_EQ(whole["plain"], false);
    for (const char* step : {"load", "device", "upload", "compile", "first_frame"}) {
        EXPECT_GT(whole["seconds"][step].get<double>(), 0.0) << step;
    }
    const Json plain = render("plain", {"--size", "64x48", "--plain"});
    EXPECT_EQ(plain["frames"], 1);
    EXPECT_GT(plain["compiled_pipelines"], 0);
    const Json direct = render("direct", {"--size", "64x48", "--backend", "direct"});
    EXPECT_EQ(direct["counters"]["primitives_drawn"], plain["counters"]["primitives_drawn"]);
}

TEST_F(Render, AFrameInWhichPipelinesWereCompiledIsNotTimed) {
    for (int run = 0; run < 2; ++run) {  // the second time, pipelines come from the cache
        const Json json = render("a", {"--size", "64x48", "--frames", "1"});
        EXPECT_EQ(json["frames_timed"], 0);
        for (const char* times : {"gpu_ms", "cpu_ms"}) {
            for (const char* key : {"median", "min", "p95"}) EXPECT_TRUE(json[times][key].is_null()) << times << key;
        }
        ASSERT_FALSE(json["passes"].empty());
        for (const Json& pass : json["passes"]) EXPECT_TRUE(pass["median_ms"].is_null()) << pass;
    }
    EXPECT_NE(this->run({"render", "sphere.gltf", "-o", "a.png", "--size", "64x48", "--frames", "1"})
                  .out.find("GPU not timed, CPU not timed"),
              std::string::npos);
    const ProcessResult bench =
        this->run({"bench", "sphere.gltf", "--size", "64x48", "--frames", "1", "--warmup", "0", "--json", "b.json"});
    EXPECT_NE(bench.out.find("not timed"), std::string::npos) << bench.out;
    EXPECT_EQ(Json::parse(read_text(folder_ / "b.json"))["runs"][0]["frames_timed"], 0);
    EXPECT_EQ(render("a", {"--size", "64x48", "--frames", "9"})["frames_timed"], 8);
}

TEST_F(Render, SmallBudgetsTakeRoundsAndLoseNothing) {
    const std::vector<std::string> scene{"--size", "64x48",     "--grid",  "6x6x6",    "--lod",
                                         "off",    "--backend", "compact", "--frames", "1"};
    const auto with = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> arguments = scene;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return render(name, arguments);
    };
    const Json all = with("a", {});
    EXPECT_EQ(all["counters"]["rounds"], 1);
    for (const std::vector<std::string>& asked : {std::vector<std::string>{"--compact-budget", "0.2"},
                                                  {"--survivor-budget", "0.004"},
                                                  {"--survivor-budget", "0.005", "--compact-budget", "0.3"}}) {
        const Json json = with("b", asked);
        const Json& counters = json["counters"];
        EXPECT_GT(counters["rounds"], 2) << asked[0];
        EXPECT_LE(counters["rounds"], 64) << asked[0];
        EXPECT_EQ(counters["overflow"], 0) << asked[0];
        EXPECT_EQ(counters["primitives_drawn"], all["counters"]["primitives_drawn"]) << asked[0];
        const std::string name = asked[0].substr(2);
        EXPECT_LT(json["settings"][name], all["settings"][name]) << asked[0];
        EXPECT_EQ(read_text(folder_ / "a.png"), read_text(folder_ / "b.png")) << asked[0];
    }
    // More rounds than are recorded.
    const Json tiny = with("b", {"--compact-budget", "0.001"});
    EXPECT_EQ(tiny["counters"]["rounds"], 65);
    EXPECT_GT(tiny["settings"]["compact-budget"], 0.001) << "what really ran";
    EXPECT_EQ(read_text(folder_ / "a.png"), read_text(folder_ / "b.png"));
}

TEST_F(Render, CountsTiesWhenAsked) {
    const Json json = render("a", {"--size", "64x48", "--count-ties", "on"});
    EXPECT_TRUE(json["depth_ties"].is_number_unsigned());
    EXPECT_TRUE(json["snapped_faces"].is_number_unsigned());
}

TEST_F(Render, GridInstancesTheFirstMesh) {
    const Json json = render("a", {"--size", "64x48", "--grid", "3x2x1", "--grid-spacing", "4"});
    EXPECT_EQ(json["counters"]["instances"], 6);
    EXPECT_EQ(json["settings"]["grid"], "3x2x1");
}

TEST_F(Render, TheCameraIsWhereItWasPut) {
    render("away", {"--size", "40x30", "--camera", "0,0,50,0,0,100"});
    EXPECT_EQ(background_share(picture("away")), 1.0);
    render("at", {"--size", "40x30", "--camera", "-1,0,5,0,0,0,20"});
    EXPECT_LT(background_share(picture("at")), 0.4);
}

TEST_F(Render, ACameraPathSetsFramesAndTheLastPose) {
    write_text(folder_ / "path.json", R"({"frames": 4, "keys": [{"frame": 0, "eye": [0, 0, 50], "target": [0, 0, 100]},
        {"frame": 3, "eye": [0, 0, 6], "target": [0, 0, 0], "fov": 30, "cut": true}]})");
    const Json path = render("moved", {"--size", "40x30", "--camera-path", "path.json"});
    EXPECT_EQ(path["frames"], 4);
    EXPECT_EQ(path["settings"]["camera"], "0,0,6,0,0,0,30");
    render("still", {"--size", "40x30", "--camera", "0,0,6,0,0,0,30"});
    EXPECT_EQ(picture("moved").rgba, picture("still").rgba);
    render("earlier", {"--size", "40x30", "--camera-path", "path.json", "--frames", "2"});
    EXPECT_EQ(background_share(picture("earlier")), 1.0);
}

// The sphere's file with one camera, at (0, 0, 6), that has this rotation.
nlohmann::json with_camera(const Json& camera, const Json& rotation) {
    Json gltf = sphere_gltf(24);
    gltf["cameras"][0] = camera;
    gltf["nodes"][2] = {{"camera", 0}, {"translation", {0, 0, 6}}, {"rotation", rotation}};
    gltf["scenes"][0]["nodes"].push_back(2);
    return gltf;
}

TEST_F(Render, TheFilesCameraKeepsItsRoll) {
    const Json camera{{"type", "perspective"}, {"perspective", {{"yfov", 0.6}, {"znear", 0.1}}}};
    write_text(folder_ / "sphere.gltf", with_camera(camera, {0, 0, std::sin(0.25), std::cos(0.25)}).dump());
    const Json rolled = render("rolled", {"--size", "90x70"});
    const auto text = rolled["settings"]["camera"].get<std::string>();
    EXPECT_NEAR(std::stod(text.substr(text.rfind(',') + 1)), 0.5 * 180.0 / 3.14159265358979, 1e-3) << text;
    render("repeated", {"--size", "90x70", "--camera", text, "--near", "0.1", "--backend", "direct"});
    EXPECT_EQ(run({"compare", "rolled.png", "repeated.png"}).status, 0);
    render("upright", {"--size", "90x70", "--camera", text.substr(0, text.rfind(',')), "--near", "0.1"});
    EXPECT_EQ(run({"compare", "rolled.png", "upright.png"}).status, 1);
}

TEST_F(Render, AnOrthographicCameraOfTheFileIsDrawnAsSuch) {
    const Json camera{{"type", "orthographic"},
                      {"orthographic", {{"xmag", 2}, {"ymag", 2}, {"znear", 0}, {"zfar", 100}}}};
    write_text(folder_ / "sphere.gltf", with_camera(camera, {0, 0, 0, 1}).dump());
    const Json json = render("auto", {"--size", "80x80"});
    EXPECT_EQ(json["settings"]["projection"], "orthographic") << "what really ran";
    // The sphere at the origin has a radius of 1, and the picture is 4 units high.
    const app::ColorImage image = picture("auto");
    const auto drawn = [&image](std::size_t x, std::size_t y) {
        const auto at = static_cast<std::ptrdiff_t>((y * image.width + x) * 4);
        return !std::equal(image.rgba.begin() + at, image.rgba.begin() + at + 4, render::kBackgroundColor);
    };
    EXPECT_TRUE(drawn(40, 22));
    EXPECT_FALSE(drawn(40, 18));
    EXPECT_TRUE(drawn(22, 40));
    EXPECT_FALSE(drawn(18, 40));
    EXPECT_EQ(render("other", {"--size", "80x80", "--projection", "perspective"})["settings"]["projection"],
              "perspective");
    EXPECT_EQ(run({"compare", "auto.png", "other.png"}).status, 1);
    EXPECT_EQ(render("posed", {"--size", "8x8", "--camera", "0,0,6,0,0,0"})["settings"]["projection"], "perspective");
}

TEST_F(Render, NotesOfTheImportAndOfTheUploadAreInJson) {
    Json gltf = sphere_gltf();
    gltf["extensionsUsed"] = {"EXT_unheard_of"};
    gltf["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 0;
    gltf["textures"][0]["source"] = 0;
    gltf["images"][0] = {{"name", "cut off"}, {"uri", "data:image/png;base64,iVBORw0KGgo="}};
    write_text(folder_ / "sphere.gltf", gltf.dump());
    const Json notes = render("a", {"--size", "8x8"})["notes"];
    ASSERT_EQ(notes.size(), 2U) << notes;
    EXPECT_NE(notes[0].get<std::string>().find("EXT_unheard_of"), std::string::npos) << notes;
    EXPECT_NE(notes[1].get<std::string>().find("cut off"), std::string::npos) << notes;
    const ProcessResult bench = run({"bench", "sphere.gltf", "--size", "8x8", "--frames", "1", "--warmup", "0",
                                     "--vary", "grid=,2x1x1", "--json", "-"});
    const Json json = Json::parse(bench.out);
    EXPECT_EQ(json["notes"], notes);
    for (const Json& run : json["runs"]) EXPECT_EQ(run["notes"], notes) << "the scene is uploaded anew";
    for (const Json& note : notes) {
        const std::string line = "note: " + note.get<std::string>() + "\n";
        const std::size_t at = bench.err.find(line);
        EXPECT_NE(at, std::string::npos) << bench.err;
        EXPECT_EQ(bench.err.find(line, at + 1), std::string::npos) << "once: " << bench.err;
    }
}

TEST_F(Render, FrozenCullingKeepsTheCullersCamera) {
    write_text(folder_ / "path.json", R"({"frames": 4, "keys": [{"frame": 0, "eye": [0, 0, 50], "target": [0, 0, 100]},
        {"frame": 3, "eye": [0, 0, 6], "target": [0, 0, 0], "cut": true}]})");
    const Json frozen = render("frozen", {"--size", "40x30", "--camera-path", "path.json", "--freeze-culling", "1"});
    EXPECT_EQ(frozen["counters"]["primitives_drawn"], 0) << "culled by the camera that looked away";
    EXPECT_EQ(background_share(picture("frozen")), 1.0);
}

TEST_F(Render, JsonOnStdoutIsNothingElse) {
    const ProcessResult result = run({"render", "sphere.gltf", "-o", "a.png", "--size", "16x16", "--json", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    expect_run(Json::parse(result.out));
}

TEST_F(Render, RunsCleanlyUnderValidation) {
    const ProcessResult result =
        run({"render", "sphere.gltf", "-o", "a.png", "--size", "64x48", "--validation", "on", "--json", "a.json"});
    if (result.err.find("not installed") != std::string::npos) GTEST_SKIP() << "the validation layer is not installed";
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(Json::parse(read_text(folder_ / "a.json"))["validation_messages"], 0);
}

TEST_F(Render, WhatTheDeviceCannotDoExitsWith1) {
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--device", "no such device"}, std::vector<std::string>{"--device", "99"}}) {
        std::vector<std::string> arguments{"render", "sphere.gltf", "-o", "a.png"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 1);
        ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_NE(result.err.find(more[1]), std::string::npos) << result.err;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.png"));
}

TEST_F(Render, NeverOverwritesItsInput) {
    const ProcessResult result = run({"render", "sphere.gltf", "-o", "sphere.gltf"});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(read_text(folder_ / "sphere.gltf"), sphere_gltf(24).dump());
}

TEST_F(Render, TheBuiltInSceneNeedsNoFile) {
    const ProcessResult result = run({"render", "-o", "a.png", "--size", "96x54", "--json", "a.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = Json::parse(read_text(folder_ / "a.json"));
    EXPECT_GT(json["counters"]["primitives_drawn"], 1000);
    EXPECT_LT(background_share(picture("a")), 0.8);
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
    const Json json = Json::parse(read_text(folder_ / "b.json"));
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

TEST_F(Render, CompactFilesAreDrawnAsPlainOnes) {
    ASSERT_EQ(run({"encode", "sphere.gltf", "-o", "plain.sublet", "--lod", "on"}).status, 0);
    ASSERT_EQ(run({"encode", "sphere.gltf", "-o", "compact.sublet", "--lod", "on", "--coding", "compact"}).status, 0);
    const std::string plain = read_text(folder_ / "plain.sublet");
    const std::string compact = read_text(folder_ / "compact.sublet");
    EXPECT_LT(compact.size(), plain.size() * 3 / 4);
    for (const std::string name : {"plain", "compact"}) {
        const ProcessResult drawn =
            run({"render", name + ".sublet", "-o", name + ".png", "--size", "64x48", "--payload", "encoded"});
        ASSERT_EQ(drawn.status, 0) << drawn.err;
        const ProcessResult told = run({"info", name + ".sublet", "--json", name + ".json"});
        ASSERT_EQ(told.status, 0) << told.err;
        EXPECT_NE(told.out.find(name + " coding"), std::string::npos) << told.out;
        const Json json = Json::parse(read_text(folder_ / (name + ".json")));
        EXPECT_EQ(json["encoding"]["coding"], name);
        EXPECT_GT(json["streams"]["position"]["bytes"], 0);
        const Json& totals = json["totals"];
        EXPECT_GE(totals["bytes"], totals["payload_bytes"].get<std::uint64_t>() +
                                       totals["stream_header_bytes"].get<std::uint64_t>() +
                                       totals["bounds_bytes"].get<std::uint64_t>());
    }
    EXPECT_EQ(read_text(folder_ / "plain.png"), read_text(folder_ / "compact.png"));
    // Either becomes the other; what is asked for twice is as it was.
    const auto convert = [&](const char* from, const char* coding) {
        const ProcessResult result = run({"encode", from, "-o", "converted.sublet", "--coding", coding});
        EXPECT_EQ(result.status, 0) << result.err;
        return read_text(folder_ / "converted.sublet");
    };
    EXPECT_EQ(convert("plain.sublet", "compact"), compact);
    EXPECT_EQ(convert("compact.sublet", "plain"), plain);
    EXPECT_EQ(convert("compact.sublet", "compact"), compact);
    // Levels come and go in the coding that the file has.
    ASSERT_EQ(run({"encode", "compact.sublet", "-o", "finest.sublet", "--lod", "off"}).status, 0);
    ASSERT_EQ(run({"encode", "finest.sublet", "-o", "again.sublet", "--lod", "on"}).status, 0);
    EXPECT_LT(read_text(folder_ / "finest.sublet").size(), compact.size());
    EXPECT_EQ(read_text(folder_ / "again.sublet"), compact);
}

// What the cut spares, in a scene with levels of detail; nulls in one without.
TEST_F(Render, LevelsOfDetailAreCounted) {
    const std::vector<std::string> keys{"lod_meshlets_of_all", "lod_meshlets", "lod_triangles_of_finest",
                                        "lod_triangles", "lod_triangles_by_level"};
    ASSERT_EQ(run({"encode", "sphere.gltf", "-o", "sphere.sublet", "--lod", "off"}).status, 0);
    const std::vector<std::string> to_sphere{"render",      "sphere.sublet", "-o",    "sphere.png", "--json",
                                             "sphere.json", "--size",        "64x48", "--pick",     "20,24"};
    ASSERT_EQ(run(to_sphere).status, 0);
    const Json without = Json::parse(read_text(folder_ / "sphere.json"));
    for (const std::string& key : keys) EXPECT_TRUE(without["counters"][key].is_null()) << key;
    EXPECT_TRUE(without["counters"]["funnel"]["levels"].is_null());
    EXPECT_TRUE(without["picked"]["lod_level"].is_null());

    write_text(folder_ / "fine.gltf", sphere_gltf(96).dump());
    ASSERT_EQ(run({"encode", "fine.gltf", "-o", "fine.sublet", "--lod", "on"}).status, 0);
    for (const char* backend : {"direct", "compact"}) {
        SCOPED_TRACE(backend);
        const ProcessResult result =
            run({"render", "fine.sublet", "-o", "fine.png", "--json", "fine.json", "--size", "64x48", "--environment",
                 "none", "--backend", backend, "--pick", "20,24", "--frames", "3"});
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_NE(result.out.find("levels"), std::string::npos) << "a row of the funnel";
        const Json json = Json::parse(read_text(folder_ / "fine.json"));
        const Json& counters = json["counters"];
        EXPECT_LT(counters["lod_meshlets"], counters["lod_meshlets_of_all"]);
        EXPECT_LT(counters["lod_triangles"], counters["lod_triangles_of_finest"]);
        EXPECT_EQ(counters["lod_triangles_of_finest"], json["scene_totals"]["instanced"]["triangles"]);
        ASSERT_EQ(counters["lod_triangles_by_level"].size(), 16U);
        std::uint64_t drawn = 0;
        for (const Json& of_level : counters["lod_triangles_by_level"]) drawn += of_level.get<std::uint64_t>();
        EXPECT_GT(drawn, counters["lod_triangles_by_level"][0]) << "not all are of the finest level";
        EXPECT_LE(drawn, counters["lod_triangles"]);
        const Json& step = counters["funnel"]["levels"];
        EXPECT_EQ(step["total"], counters["lod_meshlets_of_all"]);
        EXPECT_EQ(step["rejected"]["level"],
                  step["total"].get<std::uint64_t>() - counters["lod_meshlets"].get<std::uint64_t>());
        EXPECT_EQ(counters["funnel"]["meshlets"]["total"], counters["lod_meshlets"]);
        for (const char* key : {"lod_level", "lod_group"}) {
            EXPECT_TRUE(json["picked"][key].is_number_unsigned()) << key;
        }
        EXPECT_GT(json["picked"]["lod_level"], 0);
        EXPECT_GT(json["picked"]["lod_error"], 0.0);
    }
}

// Each step of the funnel has what the step before left; null is what a backend does not count.
TEST_F(Render, TheFunnelGoesFromInstancesToPixels) {
    for (const char* backend : {"direct", "compact", "mdi"}) {
        SCOPED_TRACE(backend);
        const Json run = render("funnel", {"--backend", backend, "--cull-sublets", "off", "--size", "64x48"});
        const Json& funnel = run["counters"]["funnel"];
        EXPECT_EQ(funnel["instances"]["total"], run["counters"]["instances"]);
        EXPECT_EQ(funnel["pixels"]["total"], 64 * 48);
        EXPECT_GT(funnel["pixels"]["covered"], 0);
        EXPECT_EQ(funnel["sublets"].is_null(), std::string(backend) == "mdi");
        EXPECT_EQ(funnel["triangles"]["rejected"]["backface"].is_null(), std::string(backend) != "compact");
        EXPECT_TRUE(funnel["meshlets"]["rejected"]["frozen"].is_null());
        for (const char* step : {"instances", "meshlets", "sublets", "triangles"}) {
            if (funnel[step].is_null()) continue;
            std::uint64_t sum =
                funnel[step]["drawn_phase1"].get<std::uint64_t>() + funnel[step]["drawn_phase2"].get<std::uint64_t>();
            for (const Json& count : funnel[step]["rejected"]) {
                if (!count.is_null()) sum += count.get<std::uint64_t>();
            }
            EXPECT_EQ(funnel[step]["total"], sum) << step;
        }
        // One mesh, two nodes.
        const Json& totals = run["scene_totals"];
        EXPECT_EQ(totals["instances"], 2);
        EXPECT_EQ(totals["unique"]["triangles"].get<std::uint64_t>() * 2, totals["instanced"]["triangles"]);
        const Json& memory = run["memory"];
        std::uint64_t bytes = 0;
        for (const Json& purpose : memory["purposes"]) bytes += purpose.get<std::uint64_t>();
        EXPECT_EQ(bytes, memory["device_used"]);
    }
}

TEST_F(Render, BenchRunsTheProductOfWhatVaries) {
    const ProcessResult result = run({"bench", "sphere.gltf", "--size", "64x48", "--frames", "5", "--warmup", "2",
                                      "--vary", "cull-cone=on,off", "--vary", "backend=mdi,direct", "--vary",
                                      "without=,draw-count", "--vary", "grid=,2x1x1", "--json", "bench.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("cull-cone"), std::string::npos) << result.out;
    const Json json = Json::parse(read_text(folder_ / "bench.json"));
    ASSERT_EQ(json["runs"].size(), 16U);
    std::set<std::string> combinations;
    for (const Json& run : json["runs"]) {
        for (const std::string& key : kRunKeys) EXPECT_TRUE(run.contains(key)) << key;
        ASSERT_EQ(run["vary"].size(), 4U);
        combinations.insert(run["vary"].dump());
        EXPECT_EQ(run["frames"], 5);
        for (const auto& [name, value] : run["vary"].items()) {
            const Json& ran = run["settings"][name];
            EXPECT_EQ(ran.is_null() ? "" : ran.get<std::string>(), value.get<std::string>()) << name;
        }
        EXPECT_EQ(run["counters"]["instances"], 2) << "two nodes, or a grid of two";
        EXPECT_GT(run["counters"]["primitives_drawn"], 0) << run["vary"];
    }
    EXPECT_EQ(combinations.size(), 16U);
}

TEST_F(Render, BenchOfOneBuildingBlock) {
    for (const char* name : {"scan", "tiling"}) {
        const ProcessResult result = run({"bench", "--micro", name, "--json", "micro.json"});
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_TRUE(result.out.starts_with(name)) << result.out;
        const Json json = Json::parse(read_text(folder_ / "micro.json"));
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
    const Json json = Json::parse(read_text(folder_ / "micro.json"));
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

TEST_F(Render, DevicesSaysWhatEachSupports) {
    const ProcessResult result = run({"devices", "--json", "devices.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = Json::parse(read_text(folder_ / "devices.json"));
    ASSERT_FALSE(json["devices"].empty());
    for (const Json& device : json["devices"]) {
        for (const char* key : {"name", "type", "driver", "api"}) EXPECT_TRUE(device[key].is_string()) << key;
        EXPECT_NE(result.out.find(device["name"].get<std::string>()), std::string::npos);
        for (const render::Backend backend : render::all_backends()) {
            const Json& reason = device["backends"].at(std::string(render::backend_name(backend)));
            EXPECT_TRUE(reason.is_null() || reason.is_string());
        }
    }
}

TEST_F(Render, PickTellsWhatAPixelShowsAndOutlinesIt) {
    const Json plain = render("plain", {"--size", "64x48"});
    EXPECT_TRUE(plain["picked"].is_null());
    const Json json = render("picked", {"--size", "64x48", "--pick", "20,24", "--pick-level", "triangle"});
    const Json& picked = json["picked"];
    for (const char* key : {"instance", "node", "mesh", "material", "meshlet", "sublet", "triangle"}) {
        EXPECT_TRUE(picked[key].is_number_unsigned()) << key;
    }
    EXPECT_EQ(picked["corners"].size(), 3U);
    EXPECT_GT(picked["parts"]["sublet"]["streams"]["position"]["bytes"], 0);
    EXPECT_NE(picture("picked").rgba, picture("plain").rgba);
    EXPECT_EQ(json["counters"], plain["counters"]);
    EXPECT_TRUE(render("beside", {"--size", "64x48", "--pick", "0,0"})["picked"].is_null());
    EXPECT_EQ(picture("beside").rgba, picture("plain").rgba);
    const ProcessResult outside = run({"render", "sphere.gltf", "-o", "x.png", "--size", "64x48", "--pick", "64,0"});
    EXPECT_EQ(outside.status, 1);
    EXPECT_NE(outside.err.find("--pick"), std::string::npos) << outside.err;
}

TEST_F(Render, DifferenceCountsWhatIsUnlikeDirectDraws) {
    EXPECT_TRUE(render("plain", {"--size", "64x48"})["differing_pixels"].is_null());
    const Json same = render("same", {"--size", "64x48", "--backend", "mdi", "--difference", "on"});
    EXPECT_EQ(same["differing_pixels"], 0);
    EXPECT_NE(picture("same").rgba, picture("plain").rgba) << "what is the same is dim";
    // How raster draws is seen by no direct draw: every covered pixel differs.
    const Json unlike =
        render("unlike", {"--size", "64x48", "--backend", "raster", "--view", "path", "--difference", "on"});
    EXPECT_GT(unlike["differing_pixels"], 100);
    EXPECT_EQ(unlike["differing_pixels"], unlike["counters"]["funnel"]["pixels"]["covered"]);
}

}  // namespace
}  // namespace sublet::test
