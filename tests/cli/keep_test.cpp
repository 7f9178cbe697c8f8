// What is kept between runs: the cache of scenes, presets, the command line of a picture.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../unit/scene/environment_files.h"
#include "app/image_io.h"
#include "base/path_text.h"
#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

class Keep : public ::testing::Test {
  protected:
    Keep() {
        Json gltf = sphere_gltf(24);
        gltf["images"] = {{{"uri", "missing.png"}}};
        gltf["textures"] = {{{"source", 0}}};
        gltf["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
        write_text(folder_ / "scene/sphere.gltf", gltf.dump());
    }

    ProcessResult run(const Arguments& arguments) const {
        return sublet(arguments, {.folder = folder_ / "scene", .environment = {"XDG_CACHE_HOME=" + cache_}});
    }
    // `render`'s JSON.
    Json render(const std::string& name, const Arguments& more = {}) const {
        Arguments arguments{"render", "sphere.gltf", "-o", name + ".png", "--json", name + ".json", "--size", "96x64"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? Json::parse(read_text(folder_ / ("scene/" + name + ".json"))) : Json();
    }
    [[nodiscard]] std::string picture(const std::string& name) const {
        return read_text(folder_ / ("scene/" + name + ".png"));
    }
    Json cache(const Arguments& more = {}) const {
        Arguments arguments{"cache", "--json", "-"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = run(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? Json::parse(result.out) : Json();
    }

    TemporaryFolder folder_;
    std::string cache_ = path_text(folder_ / "cache");
};

// Without what is another each time, or names the file that was written.
Json comparable(Json json) {
    for (const char* key : {"gpu_ms", "cpu_ms", "passes", "between_passes", "memory", "output", "frames_timed",
                            "environment_ms", "seconds", "compiled_pipelines"})
        json.erase(key);
    return json;
}

TEST_F(Keep, ASceneOfTheCacheIsLikeAFreshOne) {
    EXPECT_EQ(cache()["scenes"], 0);
    const Json fresh = render("fresh", {"--cache", "off"});
    EXPECT_EQ(cache()["scenes"], 0);
    render("first");
    const Json told = cache();
    EXPECT_EQ(told["scenes"], 1);
    EXPECT_GT(told["bytes"], 10'000);
    EXPECT_EQ(told["folder"], path_text(text_path(cache_) / "sublet" / "scenes"));
    const Json kept = render("kept");
    EXPECT_EQ(comparable(kept), comparable(fresh));
    ASSERT_FALSE(kept["notes"].empty()) << "of the missing image";
    EXPECT_EQ(picture("kept"), picture("fresh"));
    EXPECT_EQ(picture("first"), picture("fresh"));
    EXPECT_EQ(cache({"--clear"})["scenes"], 0);
    EXPECT_EQ(cache({"--limit", "0"})["limit_bytes"], 0);
    render("again");
    EXPECT_EQ(cache()["scenes"], 0);
    EXPECT_EQ(run({"cache", "--limit", "-1"}).status, 2);
    EXPECT_EQ(run({"render", "sphere.gltf", "-o", "x.png", "--cache", "maybe"}).status, 2);
}

TEST_F(Keep, SoIsTheBuiltinScene) {
    const auto draw = [&](const std::string& name, const Arguments& more = {}) {
        Arguments arguments{"render", "-o", name + ".png", "--json", name + ".json", "--size", "96x64"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        EXPECT_EQ(run(arguments).status, 0);
        return comparable(Json::parse(read_text(folder_ / ("scene/" + name + ".json"))));
    };
    const Json fresh = draw("fresh", {"--cache", "off"});
    EXPECT_EQ(cache()["scenes"], 0);
    draw("first");
    EXPECT_EQ(cache()["scenes"], 1);
    EXPECT_EQ(draw("kept"), fresh);
    EXPECT_EQ(picture("kept"), picture("fresh"));
    EXPECT_EQ(picture("first"), picture("fresh"));
    EXPECT_EQ(cache()["scenes"], 1);
}

TEST_F(Keep, ACacheThatCantBeWrittenIsANoteAlone) {
    write_text(folder_ / "file", "");
    const ProcessResult result =
        sublet({"render", "sphere.gltf", "-o", "a.png", "--size", "16x16"},
               {.folder = folder_ / "scene", .environment = {"XDG_CACHE_HOME=" + path_text(folder_ / "file")}});
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.err.find("note: the cache of scenes can't be used"), std::string::npos) << result.err;
    EXPECT_EQ(result.error_lines(), Arguments{});
}

TEST_F(Keep, APresetGoesBeforeOtherOptions) {
    write_text(folder_ / "scene/p.json",
               R"({"preset": 1, "settings": {"cull-cone": "off", "hiz-level": 3, "view": "depth"}})");
    const Json settings = render("a", {"--hiz-level", "2", "--preset", "p.json"})["settings"];
    EXPECT_EQ(settings["cull-cone"], "off");
    EXPECT_EQ(settings["view"], "depth");
    EXPECT_EQ(settings["hiz-level"], 2);
    write_text(folder_ / "scene/p.json", R"({"preset": 1, "settings": {"cull-cone": "perhaps"}})");
    const ProcessResult wrong = run({"render", "sphere.gltf", "-o", "a.png", "--preset", "p.json"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_EQ(wrong.err, "error: p.json: settings.cull-cone: 'perhaps' is not one of on, off\n");
}

// What JSON says of a picture, run by a shell in another folder.
TEST_F(Keep, TheCommandLineDrawsThePictureAgain) {
    const std::string odd = kWindows ? "-it's odd & ^so $HOME; (1) .gltf" : "-it's \"odd\"\n$HOME; \xC3\xA4 .gltf";
    std::filesystem::rename(folder_ / "scene/sphere.gltf", folder_ / ("scene/" + odd));
    std::filesystem::create_directories(folder_ / "elsewhere");
    write_text(folder_ / "scene/my path.json",
               R"({"frames": 3, "keys": [{"frame": 0, "eye": [0, 0, 5], "target": [0, 0, 0]},
                   {"frame": 2, "eye": [1, 0, 5], "target": [0, 0, 0], "cut": true}]})");
    const auto light = [](std::uint32_t x, std::uint32_t y) {
        return scene::testing::Radiance{x < 16 ? 1.0F : 0.0F, y < 8 ? 1.0F : 0.0F, 0.5F};
    };
    write_text(folder_ / "scene/my light.hdr", scene::testing::hdr_file(32, 16, light));
    for (const Arguments& more :
         {Arguments{},
          {"--environment", "my light.hdr"},
          {"--environment", "my light.hdr", "--sun", "10,20"},
          {"--camera=-1.1,0.3,2.7,0.1,0,0,33.3,-12", "--near", "0.3", "--view", "meshlets"},
          {"--projection", "orthographic", "--size", "33x71", "--wireframe", "on"},
          {"--view", "phase", "--frames", "1", "--grid", "3x2x1", "--grid-spacing", "0.7"},
          {"--bounds", "spheres", "--bounds-of", "sublets", "--pick", "40,30", "--backend", "direct"},
          {"--camera-path", "my path.json", "--freeze-culling", "1", "--view", "culled"},
          {"--allow-outside", "--without", "draw-count", "--validation", "off", "--frames", "3"}}) {
        Arguments arguments{"render", "./" + odd, "-o", "a.png", "--json", "a.json", "--size", "96x64"};
        if (!more.empty() && more[0] == "--projection") arguments.resize(6);
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult first = run(arguments);
        ASSERT_EQ(first.status, 0) << first.err;
        const std::string line = Json::parse(read_text(folder_ / "scene/a.json"))["command"];
        SCOPED_TRACE(line);
        const ProcessResult again =
            run_line(line, {.folder = folder_ / "elsewhere", .environment = {"XDG_CACHE_HOME=" + cache_}});
        ASSERT_EQ(again.status, 0) << again.err;
        EXPECT_EQ(read_text(folder_ / "elsewhere/picture.png"), picture("a"));
    }
}

}  // namespace
}  // namespace sublet::test
