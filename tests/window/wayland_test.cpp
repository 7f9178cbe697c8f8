// The viewer on Wayland. What it does there as on X11 is tested on X11.
#include "viewer_test.h"
#include "wayland_display.h"

namespace sublet::test {
namespace {

class WaylandTest : public ViewerTest {
  protected:
    void SetUp() override {
        if (!has_program("weston")) GTEST_SKIP() << "weston is not installed (Debian: weston)";
        ViewerTest::SetUp();
    }

    void use(const WaylandDisplay& display) {
        ASSERT_TRUE(display.started()) << "weston did not start";
        environment_ = display.environment();
    }
};

TEST_F(WaylandTest, OpensDrawsAndEndsAfterItsFrames) {
    const WaylandDisplay display = WaylandDisplay::headless();
    use(display);
    start({"--frames", "7"});
    const Json json = finish();
    EXPECT_EQ(json["window_system"], "Wayland");
    EXPECT_EQ(json["frames"], 7);
    EXPECT_EQ(json["size"], Json::array({kWidth, kHeight}));
    EXPECT_GT(json["counters"]["primitives_drawn"], 0);
    EXPECT_GT(json["widgets"]["cull-cone"][3], 0) << "settings are shown";
}

TEST_F(WaylandTest, HasMorePixelsAndNoSmallerPanelsOnAScaledScreen) {
    const WaylandDisplay plain = WaylandDisplay::headless();
    use(plain);
    start({"--frames", "4"});
    const Json one = finish();
    const WaylandDisplay scaled = WaylandDisplay::headless(2);
    use(scaled);
    start({"--frames", "4"});
    const Json two = finish();
    EXPECT_EQ(two["size"], Json::array({2 * kWidth, 2 * kHeight}));
    EXPECT_EQ(two["widgets"]["cull-cone"], one["widgets"]["cull-cone"]) << "in units of the desktop";
}

TEST_F(WaylandTest, TakesX11WhereNoWaylandDisplayAnswers) {
    if (!has_program("Xvfb")) GTEST_SKIP() << "Xvfb is not installed (Debian: xvfb)";
    const VirtualDisplay x;
    ASSERT_NE(x.name(), "") << "Xvfb did not start";
    environment_ = {x.variable(), "WAYLAND_DISPLAY=none", "XDG_RUNTIME_DIR=" + folder_.path().string(),
                    "XDG_SESSION_TYPE=wayland"};
    start({"--frames", "3"});
    EXPECT_EQ(finish()["window_system"], "X11");
}

// The compositor lies on an X display, whose keyboard and pointer it hands on.
TEST_F(WaylandTest, FollowsTheCompositorTheKeyboardAndThePointer) {
    for (const char* const program : {"Xvfb", "xdotool"}) {
        if (!has_program(program)) GTEST_SKIP() << program << " is not installed";
    }
    const VirtualDisplay x;
    ASSERT_NE(x.name(), "") << "Xvfb did not start";
    const WaylandDisplay display = WaylandDisplay::within(x);
    use(display);
    size_ = "700x500";
    start();
    const auto red = [&] { return red_pixels(x.screenshot()); };
    const auto colors = [&] { return colors_in(x.screenshot(), 450, 150, 500, 500).size(); };
    ASSERT_TRUE(wait_until([&] { return red() > 500; })) << "nothing was drawn";

    x.act({"mousemove", "1275", "795"});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    x.act({"mousemove", "640", "420"});
    // Weston's own key: the window covers the screen, less the panel above. Its place is known from now on.
    const int small = red();
    const auto press_until = [&](const std::string& key, const auto& done) {
        for (int attempt = 0; attempt < 4; ++attempt) {
            x.act({"key", key});
            for (int i = 0; i < 15; ++i) {
                if (done()) return true;
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
            }
        }
        return false;
    };
    EXPECT_TRUE(press_until("super+shift+m", [&] { return red() > small * 5 / 4; })) << "it was not made larger";
    const std::size_t shaded = colors();
    EXPECT_TRUE(press_until("2", [&] { return red() < small && colors() > 10; })) << shaded;
    // A click picks: its outline is of a colour that nothing else has.
    const auto outlined = [&] {
        return colors_in(x.screenshot(), 450, 150, 500, 500).contains(255U << 16U | 160U << 8U);
    };
    bool picked = false;
    for (int attempt = 0; attempt < 4 && !picked; ++attempt) {
        x.act({"mousemove", "660", "430"});
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        x.act({"mousedown", "1"});
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        x.act({"mouseup", "1"});
        for (int i = 0; i < 15 && !picked; ++i) picked = outlined();
    }
    EXPECT_TRUE(picked);
    x.act({"key", "ctrl+q"});
    const Json json = finish();
    EXPECT_EQ(json["window_system"], "Wayland");
    EXPECT_EQ(json["settings"]["view"], "meshlets");
    EXPECT_FALSE(json["picked"].is_null());
    EXPECT_GT(json["size"][0], 1200);
}

}  // namespace
}  // namespace sublet::test
