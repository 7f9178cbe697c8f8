// A viewer on a display without a screen, be it X11's or Wayland's, and what tests of it have in common.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gltf_text.h"
#include "render/shade/shade.h"
#include "temporary_folder.h"
#include "virtual_display.h"

namespace sublet::test {

using Json = nlohmann::json;

inline constexpr int kWidth = 1000;
inline constexpr int kHeight = 760;

// Colours in a rectangle of the screen.
inline std::set<std::uint32_t> colors_in(const app::ColorImage& image, int x, int y, int width, int height) {
    std::set<std::uint32_t> colors;
    for (int row = y; row < y + height && row < static_cast<int>(image.height); ++row) {
        for (int column = x; column < x + width && column < static_cast<int>(image.width); ++column) {
            const std::uint8_t* p =
                &image.rgba[4 * (static_cast<std::size_t>(row) * image.width + static_cast<std::size_t>(column))];
            colors.insert(static_cast<std::uint32_t>(p[0]) << 16U | static_cast<std::uint32_t>(p[1]) << 8U | p[2]);
        }
    }
    return colors;
}

inline constexpr std::uint32_t kBackground =
    render::kBackgroundColor[0] << 16U | render::kBackgroundColor[1] << 8U | render::kBackgroundColor[2];

// Pixels much redder than green: the sphere is red, and nothing in the panels is.
inline int red_pixels(const app::ColorImage& image) {
    int count = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) count += image.rgba[i] > 2 * image.rgba[i + 1] + 20 ? 1 : 0;
    return count;
}

// A viewer of a red sphere, in a window somewhere.
class ViewerTest : public ::testing::Test {
  protected:
    void SetUp() override { write_text(folder_ / "sphere.gltf", sphere_gltf(60).dump()); }

    // Starts the viewer on the sphere, before a plain background; with the validation layer where there is one and the
    // test asks for it.
    void start(const std::vector<std::string>& more = {}, const std::string& scene = "sphere.gltf") {
        validated_ =
            validates_ && std::filesystem::exists("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json");
        std::vector<std::string> command{SUBLET_PROGRAM, "view", scene, "--json", "view.json"};
        if (std::find(more.begin(), more.end(), "--environment") == more.end()) {
            command.insert(command.end(), {"--environment", "none"});
        }
        if (std::find(more.begin(), more.end(), "--samples") == more.end()) {
            command.insert(command.end(), {"--samples", "1"});  // pictures that stay are those of single frames
        }
        if (!size_.empty()) command.insert(command.end(), {"--size", size_});
        if (validated_) command.insert(command.end(), {"--validation", "on"});
        if (fresh_) command.emplace_back("--fresh");
        command.insert(command.end(), more.begin(), more.end());
        viewer_ = std::make_unique<Process>(command, ProcessOptions{folder_.path(), environment_, 300});
    }

    template <typename Condition>
    bool wait_until(const Condition& condition) {
        for (int i = 0; i < 600 && viewer_->running(); ++i) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        return false;
    }

    // Waits for its end, which must be a good one; what it reported.
    Json finish() {
        const ProcessResult result = viewer_->wait();
        EXPECT_EQ(result.status, 0) << result.err;
        if (result.status != 0) return {};
        Json json = Json::parse(read_text(folder_ / "view.json"));
        if (validated_) {
            EXPECT_EQ(json["validation_messages"], 0) << result.err;
        }
        return json;
    }

    TemporaryFolder folder_;
    std::vector<std::string> environment_;  // that names the display
    std::string size_ = std::to_string(kWidth) + "x" + std::to_string(kHeight);
    std::unique_ptr<Process> viewer_;
    // Starting takes twice as long with validation. What the viewer draws is drawn with it by tests of pictures, so
    // only tests of what is the window system's need it.
    bool validates_ = true;
    bool validated_ = false;
    bool fresh_ = true;  // nothing of a run comes back in the next
};

// On an X display.
class WindowTest : public ViewerTest {
  protected:
    static void SetUpTestSuite() {
        if (has_program("Xvfb")) display_ = std::make_unique<VirtualDisplay>();
    }
    static void TearDownTestSuite() { display_.reset(); }

    void SetUp() override {
        if (!display_) GTEST_SKIP() << "Xvfb is not installed (Debian: xvfb)";
        ASSERT_NE(display_->name(), "") << "Xvfb did not start";
        ASSERT_TRUE(has_program("xdotool")) << "install xdotool";
        environment_ = {display_->variable(), "WAYLAND_DISPLAY"};
        ViewerTest::SetUp();
    }

    // Starts it, and waits until it shows its picture.
    std::string open(const std::vector<std::string>& more = {}, const std::string& scene = "sphere.gltf") {
        start(more, scene);
        window_ = display_->wait_for_window("Sublet");
        EXPECT_NE(window_, "") << "no window appeared";
        EXPECT_TRUE(wait_until([&] { return red_pixels(display_->screenshot()) > 500; })) << "nothing was drawn";
        return window_;
    }
    // Waits until the window opened last shows what was done to it.
    void settle() const { EXPECT_TRUE(display_->settle(window_)) << "the window does not answer"; }

    Json quit(const std::string& window) {
        display_->act({"mousemove", "--window", window, "900", "700"});
        display_->act({"key", "ctrl+q"});
        return finish();
    }

    // The button of a message is of a red that nothing else has.
    [[nodiscard]] bool shows_message() const {
        return colors_in(display_->screenshot(), 320, 300, 680, 440).contains(150U << 16U | 40U << 8U | 30U);
    }

    // Presses a key until `done`: one that comes in a frame that takes long can be missed.
    template <typename Condition>
    bool press_until(const std::string& key, const Condition& done) {
        for (int attempt = 0; attempt < 4; ++attempt) {
            display_->act({"key", key});
            settle();
            for (int i = 0; i < 30; ++i) {
                if (done()) return true;
                pause(100);
            }
        }
        return false;
    }

    // Waits until a camera that glides has arrived.
    void arrive() const {
        pause(700);
        settle();
    }

    // The middle of a setting's widget, as a run of its own reports it.
    std::pair<int, int> widget(const std::string& setting) {
        start({"--frames", "4"});
        const Json rectangle = finish()["widgets"][setting];
        return {static_cast<int>(rectangle[0].get<double>() + 8.0),
                static_cast<int>(rectangle[1].get<double>() + rectangle[3].get<double>() / 2.0)};
    }

    static void pause(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

    static std::pair<int, int> middle(const Json& rectangle) {
        return {static_cast<int>(rectangle[0].get<double>() + rectangle[2].get<double>() / 2.0),
                static_cast<int>(rectangle[1].get<double>() + rectangle[3].get<double>() / 2.0)};
    }

    void click_on(const std::string& window, const Json& rectangle) {
        const auto [x, y] = middle(rectangle);
        display_->click(window, x, y);
    }

    // Where everything is after a click on `header`, a widget of the first picture: a section that is unfolded by it,
    // say. A run of its own tells.
    Json widgets_after(const std::string& header, const std::string& scene = "sphere.gltf") {
        start({"--frames", "4"}, scene);
        const Json first = finish();
        start_camera_ = first["settings"]["camera"];
        header_ = first["widgets"][header];
        const std::string window = open({}, scene);
        click_on(window, header_);
        return quit(window)["widgets"];
    }

    inline static std::unique_ptr<VirtualDisplay> display_;
    std::string window_;
    Json header_, start_camera_;  // of widgets_after()
};

}  // namespace sublet::test
