#include "app/keep/viewer_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "app/keep/preset.h"
#include "app/setting_options.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet::app {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::read_text;
using test::TemporaryFolder;
using test::write_text;

ViewerState full_state() {
    ViewerState state;
    state.window = {801, 602};
    state.maximized = true;
    state.position = {-5, 17};
    state.panels = {{"left", 300.5}, {"open", {"camera", "numbers"}}};
    state.settings.frame.cull_cone = false;
    SceneState& scene = use_scene(state, "/scenes/ä \"room\".glb");
    scene.camera = render::CameraPose{{0.1F, 1e-9F, -3.0F}, {0, 0, 1e7F}, 30.0F, 2.0F};
    scene.projection = render::Projection::kOrthographic;
    scene.near_plane = 0.3F;
    scene.mode = CameraMode::kFirstPerson;
    scene.bookmarks.set(3, Bookmark{"the gate", {{1, 2, 3}, {0, 0, 0}}});
    scene.file_scene = "the attic";
    use_scene(state, "/scenes/other.glb");
    return state;
}

void expect_equal(const ViewerState& a, const ViewerState& b) {
    EXPECT_EQ(a.window, b.window);
    EXPECT_EQ(a.maximized, b.maximized);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.panels, b.panels);
    EXPECT_EQ(settings_json(a.settings), settings_json(b.settings));
    EXPECT_EQ(a.scenes, b.scenes);
}

TEST(ViewerState, ComesBackToTheBit) {
    const TemporaryFolder folder;
    const fs::path file = folder / "deep/er/state.json";
    EXPECT_EQ(load_state(file).note, "") << "no file is no fault";
    EXPECT_EQ(save_state(file, full_state()), "");
    const LoadedState loaded = load_state(file);
    EXPECT_EQ(loaded.note, "");
    ViewerState expected = full_state();
    for (auto& [path, scene] : expected.scenes) scene.used_us = loaded.state.scenes.at(path).used_us;
    expect_equal(loaded.state, expected);
}

// A scene as the state names it: from the root on.
std::string named(const std::string& path) {
    return path_text(absolute_path(path));
}

TEST(ViewerState, TheScenesUsedLastComeFirst) {
    ViewerState state;
    for (int i = 0; i < 15; ++i) use_scene(state, "/" + std::to_string(i) + ".glb");
    use_scene(state, "/3.glb");
    const std::vector<std::string> recent = recent_scenes(state);
    EXPECT_EQ(recent.size(), 10U);
    EXPECT_EQ(recent[0], named("/3.glb"));
    EXPECT_EQ(recent[1], named("/14.glb"));
    use_scene(state, "relative/../here.glb");
    EXPECT_EQ(recent_scenes(state)[0], path_text(fs::current_path() / "here.glb"));
}

TEST(ViewerState, TwoViewersLoseNothingOfEachOthersScenes) {
    const TemporaryFolder folder;
    const fs::path file = folder / "state.json";
    ViewerState first = full_state();
    ASSERT_EQ(save_state(file, first), "");
    ViewerState second = load_state(file).state;
    use_scene(second, "/scenes/of the second.glb").near_plane = 2.0F;
    use_scene(second, "/scenes/other.glb").near_plane = 3.0F;
    ASSERT_EQ(save_state(file, second), "");
    use_scene(first, "/scenes/of the first.glb");
    first.window = {700, 500};
    ASSERT_EQ(save_state(file, first), "");
    const ViewerState both = load_state(file).state;
    EXPECT_EQ(both.scenes.size(), 4U);
    EXPECT_EQ(both.scenes.at(named("/scenes/of the second.glb")).near_plane, 2.0F);
    EXPECT_EQ(both.scenes.at(named("/scenes/other.glb")).near_plane, 3.0F) << "the second used it after the first";
    EXPECT_EQ(both.window, glm::uvec2(700, 500));
}

TEST(ViewerState, TheScenesNotUsedForLongestLeave) {
    const TemporaryFolder folder;
    ViewerState state;
    for (int i = 0; i < 210; ++i) use_scene(state, "/" + std::to_string(i) + ".glb");
    ASSERT_EQ(save_state(folder / "state.json", state), "");
    const ViewerState kept = load_state(folder / "state.json").state;
    EXPECT_EQ(kept.scenes.size(), 200U);
    EXPECT_FALSE(kept.scenes.contains(named("/9.glb")));
    EXPECT_TRUE(kept.scenes.contains(named("/10.glb")));
}

TEST(ViewerState, ADamagedFileIsPutAsideAndToldOf) {
    const TemporaryFolder folder;
    const fs::path file = folder / "state.json";
    write_text(file, "{\"version\": 1, \"window\"");
    const LoadedState loaded = load_state(file);
    expect_equal(loaded.state, {});
    EXPECT_EQ(loaded.note,
              path_text(file) + ": is not valid JSON (at byte 24); it is now " + path_text(file) + ".damaged");
    EXPECT_FALSE(fs::exists(file));
    write_text(file, "");
    EXPECT_NE(save_state(file, full_state()).find(".damaged-2"), std::string::npos);
    EXPECT_EQ(load_state(file).state.scenes.size(), 2U) << "and the state is saved all the same";
}

TEST(ViewerState, AFileOfANewerProgramIsLeftAlone) {
    const TemporaryFolder folder;
    const fs::path file = folder / "state.json";
    const std::string newer = R"({"version": 2, "window": 7})";
    write_text(file, newer);
    const LoadedState loaded = load_state(file);
    expect_equal(loaded.state, {});
    EXPECT_TRUE(loaded.newer);
    EXPECT_NE(loaded.note.find("newer version"), std::string::npos) << loaded.note;
    EXPECT_NE(save_state(file, full_state()).find("newer version"), std::string::npos);
    EXPECT_EQ(read_text(file), newer);
}

TEST(ViewerState, WhatIsWrongInItIsNamed) {
    const struct {
        const char* members;
        const char* message;
    } cases[] = {
        {R"("window": [])", "window: is not an object"},
        {R"("window": {"width": 0})", "window.width: must be a whole number from 1 to 65536"},
        {R"("window": {"width": 1e30})", "window.width: must be a whole number from 1 to 65536"},
        {R"("window": {"height": 18446744073709551615})", "window.height: must be a whole number from 1 to 65536"},
        {R"("window": {"height": "800"})", "window.height: must be a whole number from 1 to 65536"},
        {R"("window": {"position": [1]})", "window.position: must be [x, y]"},
        {R"("window": {"maximized": 1})", "window.maximized: is neither true nor false"},
        {R"("panels": 3)", "panels: is not an object"},
        {R"("scenes": {"/a": 1})", "scenes[\"/a\"]: is not an object"},
        {R"("scenes": {"/a": {"used": -1}})",
         "scenes[\"/a\"].used: must be a whole number from 0 to 4611686018427387903"},
        {R"("scenes": {"/a": {"near": 0}})", "scenes[\"/a\"].near: is no distance above 0"},
        {R"("scenes": {"/a": {"near": 1e300}})", "scenes[\"/a\"].near: is no distance above 0"},
        {R"("scenes": {"/a": {"mode": 1}})", "scenes[\"/a\"].mode: is neither \"orbit\" nor \"first person\""},
        {R"("scenes": {"/a": {"camera": {"eye": [0, 0, 0], "target": [0, 0, 0]}}})",
         "scenes[\"/a\"].camera: the eye and the target are the same point"},
        {R"("scenes": {"/a": {"bookmarks": 3}})", "scenes[\"/a\"]: bookmarks: must be a list"},
        {R"("scenes": {"/a": {"scene": 3}})", "scenes[\"/a\"].scene: is not a text"},
        {R"("window": {"width": NaN})", "is not valid JSON (at byte 36)"},
    };
    for (const auto& [members, message] : cases) {
        const std::string text = R"({"version": 1, )" + std::string(members) + "}";
        EXPECT_EQ(message_of<Error>([&] { (void)parse_state(text, "s"); }), std::string("s: ") + message) << text;
    }
    EXPECT_EQ(
        message_of<Error>([] { (void)parse_state(R"({"version": 1, "panels": )" + std::string(1'000'000, '['), "s"); }),
        "s: is JSON nested too deep");
}

// A text with some of its bytes changed, left out, repeated, or replaced by what is hard to read.
std::string damaged(std::string text, std::mt19937& random) {
    const std::vector<std::string> pieces{
        "1e999", "-1",     "NaN", "18446744073709551616", "[[[[", "{\"a\":", "null", "\"", "\\ud800", "\xFF",
        "true",  "1e-400", "-0",  "9223372036854775807"};
    for (int change = 0; change < 1 + static_cast<int>(random() % 4) && !text.empty(); ++change) {
        const std::size_t at = random() % text.size();
        const std::size_t length = std::min<std::size_t>(random() % 12, text.size() - at);
        switch (random() % 4) {
            case 0:
                text[at] = static_cast<char>(random());
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, text.substr(random() % text.size(), length));
                break;
            default:
                text.replace(at, length, pieces[random() % pieces.size()]);
        }
    }
    return text;
}

TEST(ViewerState, AnyBytesAreReadOrRefused) {
    const std::string good = state_text(full_state());
    std::mt19937 random(11);
    int read = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::string text = damaged(good, random);
        try {
            const std::string once = state_text(parse_state(text, "s"));
            EXPECT_EQ(state_text(parse_state(once, "s")), once) << text;
            ++read;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).substr(0, 3), "s: ");
        }
        try {
            render::Settings settings;
            parse_preset(damaged(R"({"preset": 1, "settings": {"near": 0.5, "grid": "2x2x2", "backend": "mdi",
                "camera": "1,2,3,0,0,0,45", "raster-limit": 7, "wireframe": "on"}})",
                                 random),
                         "s", settings);
            ++read;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).substr(0, 3), "s: ");
        }
    }
    EXPECT_GT(read, 100);
}

TEST(ViewerState, ASettingThatThereIsNoMoreIsLeftOut) {
    const ViewerState state =
        parse_state(R"({"version": 1, "settings": {"gone": 3, "cull-cone": "off", "wireframe": "perhaps"}})", "s");
    EXPECT_FALSE(state.settings.frame.cull_cone);
    EXPECT_FALSE(state.settings.frame.wireframe);
}

TEST(ViewerState, AnOlderNameOfABackendIsRead) {
    const ViewerState state = parse_state(R"({"version": 1, "settings": {"backend": "mdi-meshlets"}})", "s");
    EXPECT_EQ(state.settings.frame.backend, render::Backend::kMdi);
    EXPECT_FALSE(state.settings.frame.cull_sublets);
}

TEST(ViewerState, WhatCantBeKeptIsANoteAndLosesNothing) {
    const TemporaryFolder folder;
    const fs::path file = folder / "state.json";
    EXPECT_NE(save_state(fs::path(test::kNowhere) / "state.json", {}), "");
    EXPECT_NE(save_state({}, {}), "");
    ASSERT_EQ(save_state(file, full_state()), "");
    const std::string before = read_text(file);
    ViewerState bad = full_state();
    use_scene(bad, "/x.glb").camera = render::CameraPose{{NAN, 0, 0}, {0, 0, 0}};
    EXPECT_NE(save_state(file, bad), "");
    EXPECT_EQ(read_text(file), before);
    ViewerState bytes = full_state();
    use_scene(bytes, "/not \xFF utf-8.glb");
    EXPECT_EQ(save_state(file, bytes), "") << "JSON has no such names: that scene alone is not kept";
    EXPECT_EQ(load_state(file).state.scenes.size(), test::kWindows ? 3U : 2U) << "nor has Windows";
}

}  // namespace
}  // namespace sublet::app
