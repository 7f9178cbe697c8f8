#include <csignal>

#include "app/view/pass_guide.h"
#include "viewer_test.h"

namespace sublet::test {
namespace {

TEST_F(WindowTest, ShowsTheSceneAndThePanelsOverIt) {
    const std::string window = open();
    const app::ColorImage screen = display_->screenshot();
    EXPECT_GT(colors_in(screen, 0, 0, 330, 500).size(), 12U) << "the panel, with text and widgets";
    const std::set<std::uint32_t> scene = colors_in(screen, 380, 100, 580, 560);
    EXPECT_GT(scene.size(), 60U) << "a shaded sphere";
    EXPECT_TRUE(scene.contains(kBackground));
    EXPECT_NE(display_->act({"getwindowname", window}).find("sphere.gltf"), std::string::npos);

    display_->act({"mousemove", "--window", window, "900", "700"});
    display_->act({"key", "Tab"});
    EXPECT_TRUE(wait_until([&] { return colors_in(display_->screenshot(), 20, 20, 150, 40).size() == 1; }))
        << "Tab hides the panels";

    const Json json = quit(window);
    EXPECT_GT(json["frames"], 3);
    EXPECT_EQ(json["size"], Json::array({kWidth, kHeight}));
    EXPECT_GT(json["counters"]["primitives_drawn"], 0);
    EXPECT_FALSE(json["passes"].empty());
}

TEST_F(WindowTest, AClickOnACheckboxChangesTheSetting) {
    const auto [x, y] = widget("cull-cone");
    // Whole meshlets are drawn: what cones leave in is counted.
    const std::string window = open({"--backend", "mdi", "--cull-sublets", "off"});
    // A pointer that is moved and pressed at once can miss its target on a busy machine: look, and press again.
    const auto checked = [x = x, y = y] {
        return colors_in(display_->screenshot(), x - 8, y - 8, 16, 16).contains(66U << 16U | 150U << 8U | 250U);
    };
    EXPECT_TRUE(wait_until(checked)) << "the box has its mark";
    bool unchecked = false;
    for (int attempt = 0; attempt < 4 && !unchecked; ++attempt) {
        display_->click(window, x, y);
        for (int i = 0; i < 20 && !unchecked; ++i) unchecked = !checked();
    }
    EXPECT_TRUE(unchecked);
    const Json clicked = quit(window);
    EXPECT_EQ(clicked["settings"]["cull-cone"], "off");
    EXPECT_EQ(clicked["settings"]["cull-frustum"], "on");

    start({"--frames", "4", "--backend", "mdi", "--cull-sublets", "off"});
    const Json untouched = finish();
    EXPECT_EQ(untouched["settings"]["cull-cone"], "on");
    EXPECT_GT(clicked["counters"]["primitives_drawn"], untouched["counters"]["primitives_drawn"]);
}

TEST_F(WindowTest, DraggingTurnsTheCameraAndRResetsIt) {
    start({"--frames", "3"});
    const Json still = finish()["settings"]["camera"];
    const std::string again = open();
    display_->drag(again, 600, 400, 760, 460);
    const Json turned = quit(again)["settings"]["camera"];
    EXPECT_NE(turned, still);
    const std::string third = open();
    display_->drag(third, 600, 400, 760, 460);
    display_->act({"key", "r"});
    arrive();
    EXPECT_EQ(quit(third)["settings"]["camera"], still);
}

TEST_F(WindowTest, FollowsItsWindowsSize) {
    const std::string window = open();
    for (const auto& [width, height] : {std::pair{700, 500}, {1201, 777}}) {
        display_->act({"windowsize", "--sync", window, std::to_string(width), std::to_string(height)});
        settle();
        EXPECT_TRUE(viewer_->running());
    }
    EXPECT_TRUE(wait_until([&] {
        const app::ColorImage screen = display_->screenshot();
        return red_pixels(screen) > 500 && colors_in(screen, 1150, 700, 40, 60).contains(kBackground);
    }));
    EXPECT_EQ(quit(window)["size"], Json::array({1201, 777}));
}

TEST_F(WindowTest, SurvivesBeingHidden) {
    const std::string window = open();
    display_->act({"windowunmap", "--sync", window});
    settle();
    EXPECT_TRUE(viewer_->running());
    display_->act({"windowmap", "--sync", window});
    EXPECT_TRUE(wait_until([&] { return red_pixels(display_->screenshot()) > 500; }));
    quit(window);
}

TEST_F(WindowTest, EndsAfterItsFrames) {
    start({"--frames", "7", "--backend", "direct"});
    const Json json = finish();
    EXPECT_EQ(json["frames"], 7);
    EXPECT_TRUE(json["notes"].empty());
    EXPECT_FALSE(json["widgets"].contains("notes")) << "no list of nothing";
    EXPECT_EQ(json["settings"]["backend"], "direct");
    ASSERT_FALSE(json["passes"].empty());
    for (const Json& pass : json["passes"]) {
        EXPECT_FALSE(app::pass_sentence(pass["name"].get<std::string>()).empty()) << pass["name"];
    }
    EXPECT_EQ(json["passes"].back()["name"], "user interface");
    double last = 0.0;
    for (const char* const step : {"window", "read", "scene", "picture"}) {
        EXPECT_GT(json["start_ms"][step].get<double>(), last) << step << " comes after the step before it";
        last = json["start_ms"][step];
    }
}

TEST_F(WindowTest, WithoutADriverSaysWhatDevicesSays) {
    const ProcessOptions options{
        .folder = folder_.path(),
        .environment = {display_->variable(), "WAYLAND_DISPLAY", "VK_DRIVER_FILES=/no/driver.json",
                        "VK_ICD_FILENAMES=/no/driver.json"}};
    const ProcessResult view = sublet({"view", "sphere.gltf", "--frames", "1"}, options);
    EXPECT_EQ(view.status, 1);
    EXPECT_EQ(view.err, sublet({"devices"}, options).err);
    EXPECT_NE(view.err.find("no driver"), std::string::npos) << view.err;
}

TEST_F(WindowTest, ClosesWhenTheWindowManagerAsks) {
    const std::string window = open();
    ASSERT_TRUE(ask_to_close(display_->name(), window));
    finish();
}

TEST_F(WindowTest, LoadsASceneDroppedOnIt) {
    Json blue = sphere_gltf(8);
    blue["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = Json::array({0.05, 0.1, 0.9, 1.0});
    blue["extensionsUsed"] = {"EXT_unheard_of"};
    write_text(folder_ / "a blue ball.gltf", blue.dump());
    const std::string window = open();
    ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "a%20blue%20ball.gltf").string()));
    EXPECT_TRUE(wait_until([&] { return red_pixels(display_->screenshot()) == 0; })) << "the red sphere is still there";
    const Json json = quit(window);
    EXPECT_EQ(json["scene"], "a blue ball.gltf");
    EXPECT_GT(json["counters"]["primitives_drawn"], 0);
    ASSERT_EQ(json["notes"].size(), 1U);
    EXPECT_NE(json["notes"][0].get<std::string>().find("EXT_unheard_of"), std::string::npos) << json["notes"];
    EXPECT_GT(json["widgets"]["notes"][3].get<double>(), 10.0) << "the list is in the panel";
}

// Answers to a window that is gone are errors of X11, which end programs that don't expect them.
TEST_F(WindowTest, SurvivesADragWhoseSourceEnds) {
    const std::string window = open();
    ::kill(viewer_->pid(), SIGSTOP);  // it answers too late
    EXPECT_TRUE(drag_and_end(display_->name(), window));
    ::kill(viewer_->pid(), SIGCONT);
    pause(1000);
    EXPECT_TRUE(viewer_->running());
    write_text(folder_ / "bad.gltf", "{ this is no glTF");
    EXPECT_TRUE(drop_file(display_->name(), window, (folder_ / "bad.gltf").string())) << "it takes other drags";
    EXPECT_TRUE(wait_until([&] { return shows_message(); }));
    quit(window);
}

TEST_F(WindowTest, ShowsWhatIsWrongWithADroppedSceneAndKeepsTheOld) {
    write_text(folder_ / "bad.gltf", "{ this is no glTF");
    const std::string window = open();
    ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "bad.gltf").string()));
    EXPECT_TRUE(wait_until([&] { return shows_message(); })) << "no error is shown";
    EXPECT_TRUE(viewer_->running());
    const Json json = quit(window);
    EXPECT_EQ(json["scene"], "sphere.gltf");
    EXPECT_GT(json["counters"]["primitives_drawn"], 0);
}

TEST_F(WindowTest, OffersToOpenADroppedSceneThatLeavesItsFolder) {
    Json blue = sphere_gltf(8);
    blue["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = Json::array({0.05, 0.1, 0.9, 1.0});
    const std::string uri = blue["buffers"][0]["uri"];
    write_text(folder_ / "shared.bin", from_base64(uri.substr(uri.find(',') + 1)));
    blue["buffers"][0]["uri"] = "../shared.bin";
    write_text(folder_ / "inner/blue.gltf", blue.dump());
    const auto drop = [&](const std::string& window) {
        ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "inner/blue.gltf").string()));
        EXPECT_TRUE(wait_until([&] { return shows_message(); })) << "no error is shown";
    };
    const std::string first = open();
    drop(first);
    const Json refused = quit(first);
    EXPECT_EQ(refused["scene"], "sphere.gltf");
    const Json button = refused["widgets"]["offer"];
    ASSERT_GT(button[2], 0) << "there is a button";

    const std::string second = open();
    drop(second);
    bool shown = false;
    for (int attempt = 0; attempt < 4 && !shown; ++attempt) {
        display_->click(second, static_cast<int>(button[0].get<double>() + button[2].get<double>() / 2.0),
                        static_cast<int>(button[1].get<double>() + button[3].get<double>() / 2.0));
        for (int i = 0; i < 20 && !shown; ++i) shown = red_pixels(display_->screenshot()) == 0;
    }
    EXPECT_TRUE(shown) << "the red sphere is still there";
    EXPECT_EQ(quit(second)["scene"], "blue.gltf");
}

TEST_F(WindowTest, GoesBackToACopiedAndToAKeptCamera) {
    start({"--frames", "3"});
    const Json still = finish()["settings"]["camera"];
    for (const auto& [keep, back] : {std::pair{"c", "v"}, {"ctrl+1", "alt+1"}}) {
        SCOPED_TRACE(back);
        const std::string window = open();
        display_->act({"mousemove", "--window", window, "600", "400"});
        display_->act({"key", keep});
        display_->drag(window, 600, 400, 760, 460);
        display_->act({"key", back});
        arrive();
        EXPECT_EQ(quit(window)["settings"]["camera"], still);
    }
}

TEST_F(WindowTest, RecordsAPathThatOtherRunsPlay) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "600", "400"});
    display_->act({"key", "k"});
    display_->drag(window, 600, 400, 760, 460);
    display_->act({"key", "k"});
    const std::filesystem::path file = folder_ / "camera-path.json";
    EXPECT_TRUE(wait_until([&] { return std::filesystem::exists(file); }));
    const Json last = quit(window)["settings"]["camera"];
    const Json keys = Json::parse(read_text(file))["keys"];
    ASSERT_GT(keys.size(), 2U);
    EXPECT_NE(keys.front()["eye"], keys.back()["eye"]);

    const ProcessResult render = sublet({"render", "sphere.gltf", "-o", "a.png", "--size", "64x48", "--camera-path",
                                         "camera-path.json", "--json", "render.json"},
                                        {.folder = folder_.path()});
    ASSERT_EQ(render.status, 0) << render.err;
    EXPECT_EQ(Json::parse(read_text(folder_ / "render.json"))["settings"]["camera"], last);
}

TEST_F(WindowTest, PlaysAPath) {
    write_text(folder_ / "path.json", R"({"frames": 6001, "keys": [
        {"frame": 0, "eye": [0, 0, 4], "target": [0, 0, 0]},
        {"frame": 6000, "eye": [0, 0, 400], "target": [0, 0, 0]}]})");
    start({"--frames", "10", "--camera-path", "path.json"});
    const std::string camera = finish()["settings"]["camera"];
    ASSERT_EQ(camera.find("0,0,"), 0U) << camera;
    const double z = std::stod(camera.substr(4));
    EXPECT_GT(z, 4.0);
    EXPECT_LT(z, 400.0) << "100 seconds are not over";
}

}  // namespace
}  // namespace sublet::test
