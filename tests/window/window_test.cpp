#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gltf_text.h"
#include "render/shade/shade.h"
#include "virtual_display.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

constexpr int kWidth = 1000;
constexpr int kHeight = 760;

// Colours in a rectangle of the screen.
std::set<std::uint32_t> colors_in(const app::ColorImage& image, int x, int y, int width, int height) {
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

constexpr std::uint32_t kBackground =
    render::kBackgroundColor[0] << 16U | render::kBackgroundColor[1] << 8U | render::kBackgroundColor[2];

// Pixels much redder than green: the sphere is red, and nothing in the panels is.
int red_pixels(const app::ColorImage& image) {
    int count = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) count += image.rgba[i] > 2 * image.rgba[i + 1] + 20 ? 1 : 0;
    return count;
}

class WindowTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (has_program("Xvfb")) display_ = std::make_unique<VirtualDisplay>();
    }
    static void TearDownTestSuite() { display_.reset(); }

    void SetUp() override {
        if (!display_) GTEST_SKIP() << "Xvfb is not installed (Debian: xvfb)";
        ASSERT_NE(display_->name(), "") << "Xvfb did not start";
        ASSERT_TRUE(has_program("xdotool")) << "install xdotool";
        ASSERT_TRUE(has_program("import")) << "install imagemagick";
        write_text(folder_ / "sphere.gltf", sphere_gltf(60).dump());
    }

    // Starts the viewer on the sphere; with the validation layer where there is one.
    void start(const std::vector<std::string>& more = {}) {
        validated_ = std::filesystem::exists("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json");
        std::vector<std::string> command{
            SUBLET_PROGRAM, "view",     "sphere.gltf", "--size", std::to_string(kWidth) + "x" + std::to_string(kHeight),
            "--json",       "view.json"};
        if (validated_) command.insert(command.end(), {"--validation", "on"});
        command.insert(command.end(), more.begin(), more.end());
        viewer_ = std::make_unique<Process>(
            command, ProcessOptions{folder_.path(), {display_->variable(), "WAYLAND_DISPLAY"}, 60});
    }

    // Starts it, and waits until it shows its picture.
    std::string open(const std::vector<std::string>& more = {}) {
        start(more);
        std::string window = display_->wait_for_window("Sublet");
        EXPECT_NE(window, "") << "no window appeared";
        EXPECT_TRUE(wait_until([&] { return red_pixels(display_->screenshot()) > 500; })) << "nothing was drawn";
        return window;
    }

    template <typename Condition>
    bool wait_until(const Condition& condition) {
        for (int i = 0; i < 150 && viewer_->running(); ++i) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
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

    Json quit(const std::string& window) {
        display_->act({"mousemove", "--window", window, "900", "700"});
        display_->act({"key", "ctrl+q"});
        return finish();
    }

    // The middle of a setting's widget, as a run of its own reports it.
    std::pair<int, int> widget(const std::string& setting) {
        start({"--frames", "4"});
        const Json rectangle = finish()["widgets"][setting];
        return {static_cast<int>(rectangle[0].get<double>() + 8.0),
                static_cast<int>(rectangle[1].get<double>() + rectangle[3].get<double>() / 2.0)};
    }

    static std::unique_ptr<VirtualDisplay> display_;
    TemporaryFolder folder_;
    std::unique_ptr<Process> viewer_;
    bool validated_ = false;
};

std::unique_ptr<VirtualDisplay> WindowTest::display_;

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
    // This backend draws whole meshlets: what cones leave in is counted.
    const std::string window = open({"--backend", "mdi-meshlets"});
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

    start({"--frames", "4", "--backend", "mdi-meshlets"});
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
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_EQ(quit(third)["settings"]["camera"], still);
}

TEST_F(WindowTest, FollowsItsWindowsSize) {
    const std::string window = open();
    for (const auto& [width, height] : {std::pair{700, 500}, {1201, 777}}) {
        display_->act({"windowsize", "--sync", window, std::to_string(width), std::to_string(height)});
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
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
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
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
    EXPECT_EQ(json["widgets"]["notes"][3], 0.0) << "no list of nothing";
    EXPECT_EQ(json["settings"]["backend"], "direct");
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
    EXPECT_GT(json["widgets"]["notes"][3].get<double>(), 20.0) << "the list is in the panel: a title and a line";
}

TEST_F(WindowTest, ShowsWhatIsWrongWithADroppedSceneAndKeepsTheOld) {
    write_text(folder_ / "bad.gltf", "{ this is no glTF");
    const std::string window = open();
    const std::size_t before = colors_in(display_->screenshot(), 300, 350, 400, 60).size();
    ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "bad.gltf").string()));
    // The panel in the middle is dark, with a title bar in red.
    EXPECT_TRUE(wait_until([&] {
        return colors_in(display_->screenshot(), 420, 300, 300, 160).contains(150U << 16U | 40U << 8U | 30U);
    })) << "no error is shown; "
        << before;
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
        EXPECT_TRUE(wait_until([&] {
            return colors_in(display_->screenshot(), 420, 300, 300, 160).contains(150U << 16U | 40U << 8U | 30U);
        })) << "no error is shown";
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
        std::this_thread::sleep_for(std::chrono::milliseconds(1500));
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
