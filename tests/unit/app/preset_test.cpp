#include "app/keep/preset.h"

#include <gtest/gtest.h>

#include "app/setting_options.h"
#include "base/error.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

using test::message_of;
using test::TemporaryFolder;

render::Settings odd_settings() {
    render::Settings settings;
    settings.device.name = "llvmpipe";
    settings.device.without = {"mesh-shader", "draw-count"};
    settings.scene.grid = {{3, 1, 2}, 0.1F};
    settings.scene.image_limit = 3 << 19;
    settings.frame.backend = render::Backend::kMdi;
    settings.frame.cull_cone = false;
    settings.frame.pick = {3, 4};
    settings.frame.raster_limit = 0;
    settings.frame.near_plane = 1e-7F;
    settings.frame.freeze_culling = 3;
    return settings;
}

TEST(Preset, HoldsWhatDiffers) {
    const TemporaryFolder folder;
    save_preset(folder / "p.json", {});
    EXPECT_EQ(Json::parse(test::read_text(folder / "p.json")), (Json{{"preset", 1}, {"settings", Json::object()}}));
    save_preset(folder / "p.json", odd_settings());
    const Json json = Json::parse(test::read_text(folder / "p.json"));
    EXPECT_EQ(json["settings"], (Json{{"backend", "mdi"},
                                      {"cull-cone", "off"},
                                      {"freeze-culling", 3},
                                      {"raster-limit", 0},
                                      {"image-limit", 1.5},
                                      {"near", 1e-7},
                                      {"grid", "3x1x2"},
                                      {"grid-spacing", 0.1},
                                      {"without", "mesh-shader,draw-count"}}));
}

TEST(Preset, ComesBackAsItWas) {
    const TemporaryFolder folder;
    save_preset(folder / "p.json", odd_settings());
    render::Settings settings;
    settings.frame.wireframe = true;  // takes its default
    settings.device.name = "other";   // stays
    load_preset(folder / "p.json", settings);
    render::Settings expected = odd_settings();
    expected.device.name = "other";
    expected.frame.pick.reset();
    EXPECT_EQ(settings_json(settings), settings_json(expected));
    EXPECT_EQ(settings.scene.grid.spacing, 0.1F);
    EXPECT_EQ(settings.frame.near_plane, 1e-7F);
}

TEST(Preset, LeavesACameraAloneThatItDoesNotName) {
    render::Settings settings;
    settings.frame.camera = render::CameraPose{{1, 2, 3}, {0, 0, 0}};
    settings.frame.near_plane = 0.5F;
    parse_preset(R"({"preset": 1, "settings": {"wireframe": "on"}})", "p.json", settings);
    EXPECT_TRUE(settings.frame.wireframe);
    EXPECT_TRUE(settings.frame.camera);
    parse_preset(R"({"preset": 1, "settings": {"camera": "-1,0,0,0,0,0"}})", "p.json", settings);
    EXPECT_EQ(settings.frame.camera->eye.x, -1.0F);
    EXPECT_FALSE(settings.frame.near_plane) << "it belonged to the other camera";
}

TEST(Preset, WhatIsWrongIsNamedAndChangesNothing) {
    const struct {
        const char* text;
        const char* message;
    } cases[] = {
        {"[", "p.json: is not valid JSON (at byte 2)"},
        {"[]", "p.json: is not a JSON object"},
        {"{}", "p.json: preset: is missing: it must be 1"},
        {R"({"preset": "one"})", "p.json: preset: is \"one\", but must be 1"},
        {R"({"preset": 2, "settings": {"later": 3}})",
         "p.json: preset: is 2: the file is of a newer version of this program, which alone can read it"},
        {R"({"preset": 1})", "p.json: settings: must be an object of settings"},
        {R"({"preset": 1, "settings": {"wireframe": "on", "wirefrome": "on"}})",
         "p.json: settings.wirefrome: there is no such setting"},
        {R"({"preset": 1, "settings": {"wireframe": "on", "cull-cone": "maybe"}})",
         "p.json: settings.cull-cone: 'maybe' is not one of on, off"},
        {R"({"preset": 1, "settings": {"wireframe": true}})",
         "p.json: settings.wireframe: is neither a text nor a number"},
        {R"({"preset": 1, "settings": {"near": -1e30}})", "p.json: settings.near: '-1e+30' is not a distance above 0"},
        {R"({"preset": 1, "settings": {"near": 1e999}})", "p.json: has a number in it that is too large"},
    };
    for (const auto& [text, message] : cases) {
        render::Settings settings;
        EXPECT_EQ(message_of<Error>([&, text = text] { parse_preset(text, "p.json", settings); }), message);
        EXPECT_EQ(settings_json(settings), settings_json({})) << text;
    }
    render::Settings settings;
    const std::string deep = R"({"preset": 1, "settings": )" + std::string(100'000, '[');
    EXPECT_EQ(message_of<Error>([&] { parse_preset(deep, "p.json", settings); }), "p.json: is JSON nested too deep");
    const std::string much = R"({"preset": 1, "settings": {"device": ")" + std::string(5000, 'x') + "\"}}";
    EXPECT_EQ(message_of<Error>([&] { parse_preset(much, "p.json", settings); }),
              "p.json: settings.device: has 5000 characters, more than any value");
    EXPECT_NE(message_of<Error>([&] { load_preset("/nowhere/p.json", settings); }).find("/nowhere/p.json"),
              std::string::npos);
}

}  // namespace
}  // namespace sublet::app
