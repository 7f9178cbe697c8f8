// The commands that draw, on whatever Vulkan device there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "program_fixture.h"
#include "render/shade/shade.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

bool is_background(const app::ColorImage& image, std::size_t pixel) {
    return std::ranges::equal(std::span(image.rgba).subspan(4 * pixel, 4), render::kBackgroundColor);
}

double background_share(const app::ColorImage& image) {
    const std::size_t pixels = image.rgba.size() / 4;
    std::size_t background = 0;
    for (std::size_t i = 0; i < pixels; ++i) background += is_background(image, i) ? 1 : 0;
    return static_cast<double>(background) / static_cast<double>(pixels);
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
        const Json json = read_json("a.json");
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
    EXPECT_EQ(read_json("b.json")["runs"][0]["frames_timed"], 0);
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
    const auto drawn = [&image](std::size_t x, std::size_t y) { return !is_background(image, y * image.width + x); };
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
    EXPECT_EQ(read_json("a.json")["validation_messages"], 0);
}

TEST_F(Render, WhatTheDeviceCannotDoExitsWith1) {
    for (const std::string device : {"no such device", "99"}) {
        const ProcessResult result = run({"render", "sphere.gltf", "-o", "a.png", "--device", device});
        EXPECT_EQ(result.status, 1);
        ASSERT_EQ(result.error_lines().size(), 1U) << result.err;
        EXPECT_NE(result.err.find(device), std::string::npos) << result.err;
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
    const Json json = read_json("a.json");
    EXPECT_GT(json["counters"]["primitives_drawn"], 1000);
    EXPECT_LT(background_share(picture("a")), 0.8);
}

TEST_F(Render, CompactFilesAreDrawnAsPlainOnes) {
    ASSERT_EQ(run({"encode", "sphere.gltf", "-o", "plain.sublet", "--lod", "on", "--coding", "plain"}).status, 0);
    ASSERT_EQ(run({"encode", "sphere.gltf", "-o", "compact.sublet", "--lod", "on"}).status, 0);
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
        const Json json = read_json(name + ".json");
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
    const Json without = read_json("sphere.json");
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
        const Json json = read_json("fine.json");
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

TEST_F(Render, DevicesSaysWhatEachSupports) {
    const ProcessResult result = run({"devices", "--json", "devices.json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = read_json("devices.json");
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
