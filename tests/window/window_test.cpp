#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/view/pass_guide.h"
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

    // The button of a message is of a red that nothing else has.
    [[nodiscard]] bool shows_message() const {
        return colors_in(display_->screenshot(), 320, 300, 680, 440).contains(150U << 16U | 40U << 8U | 30U);
    }

    // Presses a key until `done`: one that comes in a frame that takes long can be missed.
    template <typename Condition>
    bool press_until(const std::string& key, const Condition& done) {
        for (int attempt = 0; attempt < 4; ++attempt) {
            display_->act({"key", key});
            for (int i = 0; i < 15; ++i) {
                if (done()) return true;
                std::this_thread::sleep_for(std::chrono::milliseconds(200));
            }
        }
        return false;
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
    EXPECT_FALSE(json["widgets"].contains("notes")) << "no list of nothing";
    EXPECT_EQ(json["settings"]["backend"], "direct");
    ASSERT_FALSE(json["passes"].empty());
    for (const Json& pass : json["passes"]) {
        EXPECT_FALSE(app::pass_sentence(pass["name"].get<std::string>()).empty()) << pass["name"];
    }
    EXPECT_EQ(json["passes"].back()["name"], "user interface");
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

TEST_F(WindowTest, NumberKeysChooseViewsAndTheLegendNamesThem) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "900", "300"});
    const auto colors = [&] { return colors_in(display_->screenshot(), 450, 100, 500, 500).size(); };
    EXPECT_TRUE(press_until("2", [&] { return red_pixels(display_->screenshot()) < 20000 && colors() > 10; }));
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["view"], "meshlets");
}

TEST_F(WindowTest, AClickPicksAndEscapeDrops) {
    const std::string window = open();
    display_->click(window, 650, 380);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    const Json json = quit(window);
    ASSERT_FALSE(json["picked"].is_null());
    EXPECT_GE(json["picked"]["triangle"], 0);
    EXPECT_GT(json["picked"]["parts"]["meshlet"]["triangles"], 0);
    EXPECT_GT(json["widgets"]["picked"][3], 0) << "the panel tells of it";

    // Its arrows step on: to the next sublet.
    const Json arrow = json["widgets"]["next sublet"];
    const std::string again = open();
    display_->click(again, 650, 380);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    display_->click(again, static_cast<int>(arrow[0].get<double>() + arrow[2].get<double>() / 2.0),
                    static_cast<int>(arrow[1].get<double>() + arrow[3].get<double>() / 2.0));
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    const Json next = quit(again);
    ASSERT_FALSE(next["picked"].is_null());
    const std::uint64_t before = json["picked"]["sublet"];
    const std::uint64_t after = next["picked"]["sublet"];
    EXPECT_TRUE(after == before + 1 || after == 0) << before << " -> " << after;
    EXPECT_EQ(next["settings"]["pick-level"], "sublet");

    const std::string third = open();
    display_->click(third, 650, 380);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    display_->act({"key", "Escape"});
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    EXPECT_TRUE(quit(third)["picked"].is_null());
}

// Of the processor, in seconds; all threads.
double cpu_seconds(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string field;
    double ticks = 0;
    for (int i = 3; i <= 15 && fields >> field; ++i) {
        if (i == 14 || i == 15) ticks += std::stod(field);
    }
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

TEST_F(WindowTest, SleepsWhileNothingHappens) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "900", "300"});
    std::this_thread::sleep_for(std::chrono::seconds(4));
    const double before = cpu_seconds(viewer_->pid());
    ASSERT_GT(before, 0.1);
    std::this_thread::sleep_for(std::chrono::seconds(5));
    const double share = (cpu_seconds(viewer_->pid()) - before) / 5.0;
    EXPECT_LT(share, 0.012) << "of a core";  // a hundredth, and the clock's own grain
    quit(window);
}

TEST_F(WindowTest, MakesTheDeviceAnewForItsSettings) {
    const auto at = [&](const Json& rectangle) {
        return std::pair{static_cast<int>(rectangle[0].get<double>() + 12.0),
                         static_cast<int>(rectangle[1].get<double>() + rectangle[3].get<double>() / 2.0)};
    };
    start({"--frames", "4"});
    const auto [group_x, group_y] = at(finish()["widgets"]["group Device settings"]);
    std::string window = open();
    display_->click(window, group_x, group_y);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    const Json opened = quit(window)["widgets"]["without"];
    ASSERT_GT(opened[3], 0) << "the group is open";
    const auto [x, y] = at(opened);

    window = open();
    display_->click(window, group_x, group_y);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    display_->drag(window, 600, 400, 760, 460);
    display_->click(window, x, y);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    display_->act({"type", "--delay", "80", "multi-draw"});
    display_->act({"key", "Return"});
    std::this_thread::sleep_for(std::chrono::seconds(3));
    EXPECT_TRUE(wait_until([&] { return red_pixels(display_->screenshot()) > 500; })) << "it draws on";
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["without"], "multi-draw");
    EXPECT_EQ(json["settings"]["backend"], "mdi-meshlets") << "what is best without it";
}

TEST_F(WindowTest, AMessageGoesWithItsCause) {
    write_text(folder_ / "bad.gltf", "{ this is no glTF");
    write_text(folder_ / "good.gltf", sphere_gltf(8).dump());
    const std::string window = open();
    ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "bad.gltf").string()));
    EXPECT_TRUE(wait_until([&] { return shows_message(); }));
    ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "good.gltf").string()));
    EXPECT_TRUE(wait_until([&] { return !shows_message(); })) << "the next scene is fine";
    ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "bad.gltf").string()));
    EXPECT_TRUE(wait_until([&] { return shows_message(); }));
    EXPECT_TRUE(press_until("Escape", [&] { return !shows_message(); }));
    EXPECT_EQ(quit(window)["scene"], "good.gltf");
}

TEST_F(WindowTest, PanelsFollowTheWindowAndLeaveRoomForTheScene) {
    const std::string window = open();
    for (const auto& [width, height] : {std::pair{420, 330}, {960, 540}}) {
        display_->act({"windowsize", "--sync", window, std::to_string(width), std::to_string(height)});
        std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    }
    const Json json = quit(window);
    ASSERT_EQ(json["size"], Json::array({960, 540}));
    const std::vector<double> free = json["free_rectangle"];
    EXPECT_GE((free[2] - free[0]) * (free[3] - free[1]), 0.6);
    for (const auto& [name, rectangle] : json["widgets"].items()) {
        const std::vector<double> r = rectangle;
        if (r[3] == 0.0) continue;
        EXPECT_GE(r[0], 0.0) << name;
        EXPECT_LE(r[0] + r[2], 960.0) << name;
        EXPECT_GE(r[1], 0.0) << name;
    }
}

TEST_F(WindowTest, HelpFitsAndEscapeClosesIt) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "900", "300"});
    // The title bar of the one window that has one.
    const auto open_help = [&] {
        return colors_in(display_->screenshot(), 20, 60, 960, 640).contains(41U << 16U | 74U << 8U | 122U);
    };
    EXPECT_FALSE(open_help());
    EXPECT_TRUE(press_until("question", open_help));
    EXPECT_TRUE(press_until("Escape", [&] { return !open_help(); }));
    quit(window);
}

TEST_F(WindowTest, HoldingXShowsTheOtherSettings) {
    start({"--frames", "4"});
    const Json compare = finish()["widgets"]["compare"];
    const auto middle = [](const Json& r) {
        return std::pair{static_cast<int>(r[0].get<double>() + 12.0),
                         static_cast<int>(r[1].get<double>() + r[3].get<double>() / 2.0)};
    };
    const auto [x, y] = middle(compare);
    std::string window = open();
    display_->click(window, x, y);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    const auto [keep_x, keep_y] = middle(quit(window)["widgets"]["keep B"]);
    window = open();
    display_->click(window, x, y);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    display_->click(window, keep_x, keep_y);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    display_->act({"mousemove", "--window", window, "900", "300"});
    const auto red = [&] { return red_pixels(display_->screenshot()) > 20000; };
    EXPECT_TRUE(press_until("8", [&] { return !red(); })) << "another view";
    display_->act({"keydown", "x"});
    EXPECT_TRUE(wait_until(red)) << "the kept settings are shown";
    display_->act({"keyup", "x"});
    EXPECT_TRUE(wait_until([&] { return !red(); }));
    EXPECT_EQ(quit(window)["settings"]["view"], "uv");
}

TEST_F(WindowTest, WhatHasNoEffectIsGrey) {
    start({"--frames", "4", "--backend", "direct"});
    const Json direct = finish();
    const Json box = direct["widgets"]["cull-occlusion"];
    const std::string window = open({"--backend", "direct"});
    const int x = static_cast<int>(box[0].get<double>());
    const int y = static_cast<int>(box[1].get<double>());
    const auto mark = [&](int left, int top) {
        return colors_in(display_->screenshot(), left, top, 16, 16).contains(66U << 16U | 150U << 8U | 250U);
    };
    const Json frustum = direct["widgets"]["cull-frustum"];
    EXPECT_TRUE(wait_until([&] { return mark(frustum[0].get<int>(), frustum[1].get<int>()); }));
    EXPECT_FALSE(mark(x, y)) << "occlusion culling is not ticked: direct draws take no part in it";
    display_->click(window, x + 8, y + 8);
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    EXPECT_EQ(quit(window)["settings"]["cull-occlusion"], "off");
}

}  // namespace
}  // namespace sublet::test
