// Animations as a person plays them.
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
    EXPECT_EQ(json["animation"]["playing"], Json::array({"slide", "animation 1"}));
    EXPECT_GT(json["animation"]["time"].get<double>(), 0.5);
    for (const char* name :
         {"animation names", "play animation", "step forward", "animation time", "animation speed"}) {
        EXPECT_TRUE(json["widgets"].contains(name)) << name;
    }
}

TEST_F(AnimationWindowTest, AStepAndTheTimeLinePause) {
    write_text(folder_ / "moving.gltf", moving_gltf().dump());
    start({"--frames", "4", "--animation", "slide"}, "moving.gltf");
    const Json widgets = finish()["widgets"];
    const std::string window = open({"--animation", "slide"}, "moving.gltf");
    click_on(window, widgets["animation time"]);  // in the middle of two seconds
    settle();
    click_on(window, widgets["step forward"]);
    settle();
    click_on(window, widgets["step forward"]);
    settle();
    EXPECT_NEAR(quit(window)["animation"]["time"].get<double>(), 1.0 + 2.0 / 60, 0.05);
}

TEST_F(AnimationWindowTest, WhereNothingMovesThereIsNoPanel) {
    start({"--frames", "3"});
    const Json json = finish();
    EXPECT_TRUE(json["animation"].is_null());
    EXPECT_FALSE(json["widgets"].contains("animation names"));
}

}  // namespace
}  // namespace sublet::test
