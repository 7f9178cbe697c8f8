// Animations as a person plays them.
#include <cmath>
#include <cstdint>
#include <vector>

#include "viewer_test.h"

namespace sublet::test {
namespace {

class AnimationWindowTest : public WindowTest {};

TEST_F(AnimationWindowTest, PlaysPausesAndRests) {
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    const std::string window = open({}, "moving.gltf");
    const auto rests = [&] {
        const app::ColorImage before = display_->screenshot();
        pause(700);
        return display_->screenshot().rgba == before.rgba;
    };
    EXPECT_FALSE(rests()) << "it plays at once";
    EXPECT_TRUE(press_until("t", rests)) << "paused, nothing changes any more";
    EXPECT_TRUE(press_until("t", [&] { return !rests(); })) << "and goes on";
    const Json json = quit(window);
    EXPECT_EQ(json["animation"]["playing"], Json::array({"slide"})) << "the first alone";
    EXPECT_GT(json["animation"]["time"].get<double>(), 0.5);
    for (const char* name :
         {"animation names", "play animation", "step forward", "animation time", "animation speed"}) {
        EXPECT_TRUE(json["widgets"].contains(name)) << name;
    }
}

TEST_F(AnimationWindowTest, AStepPausesAndTheTimeLineDoesNot) {
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    start({"--frames", "4", "--animation", "slide"}, "moving.gltf");
    const Json widgets = finish()["widgets"];
    std::string window = open({"--animation", "slide"}, "moving.gltf");
    click_on(window, widgets["step forward"]);
    settle();
    click_on(window, widgets["animation time"]);  // in the middle of two seconds
    settle();
    click_on(window, widgets["step forward"]);
    settle();
    click_on(window, widgets["step forward"]);
    settle();
    const Json paused = quit(window);
    EXPECT_EQ(paused["animations"][0]["playing"], false);
    EXPECT_NEAR(paused["animation"]["time"].get<double>(), 1.0 + 2.0 / 60, 0.2);  // the line may have moved a little

    // While the line is held the animation stays there; then it goes on.
    window = open({"--animation", "slide"}, "moving.gltf");
    const auto [x, y] = middle(widgets["animation time"]);
    display_->act({"mousemove", "--window", window, std::to_string(x), std::to_string(y)});
    settle();
    display_->act({"mousedown", "1"});
    settle();
    // Above the line of times, which go on changing.
    const auto shown = [&] {
        app::ColorImage image = display_->screenshot();
        image.rgba.resize(std::size_t{4} * image.width * 735);
        return image.rgba;
    };
    std::vector<std::uint8_t> held;
    EXPECT_TRUE(wait_until([&] {  // once its pipelines are there
        held = shown();
        pause(700);
        return shown() == held;
    }));
    display_->act({"mouseup", "1"});
    EXPECT_TRUE(wait_until([&] { return shown() != held; }));
    EXPECT_EQ(quit(window)["animations"][0]["playing"], true);
}

TEST_F(AnimationWindowTest, EachPlaysByItself) {
    Json gltf = moving_gltf();
    gltf["animations"].push_back(gltf["animations"][0]);
    write_text(folder_ / "moving.gltf", gltf.dump());
    start({"--frames", "4"}, "moving.gltf");
    const Json first = finish();
    const Json& widgets = first["widgets"];
    const auto click = [&](const char* widget) {
        click_on(window_, widgets[widget]);
        settle();
    };
    // With Ctrl, a name is what the controls are of, and the others go on.
    const auto join = [&](const char* widget) {
        display_->act({"keydown", "ctrl"});
        click(widget);
        display_->act({"keyup", "ctrl"});
    };
    open({"--animation", "all"}, "moving.gltf");
    join("animation 1");
    click("play animation");
    join("animation 0");
    click("animation speed");  // in the middle: 1
    pause(500);
    click("plays 2");
    const Json json = quit(window_);
    EXPECT_EQ(json["settings"]["animation"], "0,1") << "ticked off";
    const Json& animations = json["animations"];
    ASSERT_EQ(animations.size(), 3U);
    EXPECT_EQ(animations[0]["playing"], true);
    EXPECT_EQ(animations[1]["playing"], false) << "the one that was selected";
    EXPECT_EQ(animations[2]["chosen"], false);
    EXPECT_EQ(animations[2]["playing"], false);
    EXPECT_GT(animations[0]["time"].get<double>(), animations[1]["time"].get<double>() + 0.3);

    open({}, "moving.gltf");
    click("animation 2");
    click("animation 1");
    click("play animation");  // pauses it
    click("animation time");
    join("animation 0");
    click("play animation");
    const auto rests = [&] {
        const app::ColorImage before = display_->screenshot();
        pause(700);
        return display_->screenshot().rgba == before.rgba;
    };
    EXPECT_TRUE(wait_until(rests)) << "all are paused";
    const Json paused = quit(window_);
    EXPECT_NEAR(paused["animations"][1]["time"].get<double>(), 0.5, 0.1) << "in the middle of one second";
    for (const Json& animation : paused["animations"]) EXPECT_EQ(animation["playing"], false);
    EXPECT_EQ(paused["settings"]["animation"], "0,1") << "a click took 2 off, and 1 alone played until 0 joined";
}

// Only the camera moves: the sphere stays where it is.
TEST_F(AnimationWindowTest, FollowsTheFilesCameraUntilADrag) {
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    // The animation plays on after the drag. Frames that are blended would go on changing a little at edges.
    const std::string window = open({"--animation", "1", "--speed", "0.2", "--taa", "off"}, "moving.gltf");
    const auto picture = [&] {  // between the panels
        const app::ColorImage all = display_->screenshot();
        std::vector<std::uint8_t> out;
        for (std::size_t row = 200; row < 650; ++row) {
            const std::size_t at = 4 * (row * all.width + 300);
            out.insert(out.end(), all.rgba.begin() + static_cast<std::ptrdiff_t>(at),
                       all.rgba.begin() + static_cast<std::ptrdiff_t>(at + 4 * 400));
        }
        return out;
    };
    const auto moves = [&] {
        const auto before = picture();
        pause(700);
        return picture() != before;
    };
    // On a busy machine frames of before may still be on their way.
    const auto comes_to_rest = [&] {
        int tries = 20;
        while (tries > 0 && moves()) --tries;
        return tries > 0;
    };
    EXPECT_TRUE(moves()) << "it turns, and the picture with it";
    display_->drag(window, 500, 300, 500, 330);
    arrive();
    EXPECT_TRUE(comes_to_rest()) << "the camera is the user's now";
    const Json dragged = quit(window);
    EXPECT_EQ(dragged["follows_camera"], false);

    open({"--animation", "1", "--speed", "0"}, "moving.gltf");
    EXPECT_TRUE(comes_to_rest());
    const auto before = picture();
    click_on(window_, dragged["widgets"]["animation time"]);
    settle();
    EXPECT_NE(picture(), before) << "it is where the time line is";
    const Json followed = quit(window_);
    EXPECT_EQ(followed["follows_camera"], true);
    EXPECT_NE(followed["settings"]["camera"], dragged["settings"]["camera"]);
}

// The panel tells where a thing is, not where it was when it was clicked on.
TEST_F(AnimationWindowTest, WhatIsPickedIsFollowedWhileItPlays) {
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    // So slow that it is still there when a busy machine comes to the click.
    const std::string window = open({"--animation", "slide", "--speed", "0.01"}, "moving.gltf");
    const auto picked = [&] {
        const app::ColorImage screen = display_->screenshot();
        int outline = 0;
        for (std::size_t i = 0; i < screen.rgba.size(); i += 4) {
            outline += screen.rgba[i] == 255 && screen.rgba[i + 1] == 160 && screen.rgba[i + 2] == 0 ? 1 : 0;
        }
        return outline > 20;
    };
    bool found = false;
    for (int attempt = 0; attempt < 4 && !found; ++attempt) {
        display_->click(window, 510, 355);
        for (int i = 0; i < 15 && !(found = picked()); ++i) pause(200);
    }
    ASSERT_TRUE(found);
    pause(3000);  // it slides by 0.045
    const Json json = quit(window);
    ASSERT_EQ(json["picked"]["node_name"], "plain");
    const double time = json["animation"]["time"].get<double>();
    const double x = json["picked"]["parts"]["mesh"]["bound"]["world_center"][0].get<double>();
    EXPECT_NEAR(x, -1.5 * std::fmod(time, 2.0), 0.03) << "at " << time;
}

TEST_F(AnimationWindowTest, WhereNothingMovesThereIsNoPanel) {
    start({"--frames", "3"});
    const Json json = finish();
    EXPECT_TRUE(json["animation"].is_null());
    EXPECT_FALSE(json["widgets"].contains("animation names"));
}

}  // namespace
}  // namespace sublet::test
