// The viewer's panels, keys and clicks, as a person would use them.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "shaders/shared/view_colors.h"
#include "viewer_test.h"

namespace sublet::test {
namespace {

class PanelsTest : public WindowTest {
  protected:
    PanelsTest() { validates_ = false; }

    Json start_settings() {
        start({"--frames", "4"});
        return finish()["settings"];
    }
    // Pixels in the colour of the outline of what is picked.
    [[nodiscard]] static int outlined() {
        const app::ColorImage screen = display_->screenshot();
        int count = 0;
        for (std::size_t i = 0; i < screen.rgba.size(); i += 4) {
            count += screen.rgba[i] == 255 && screen.rgba[i + 1] == 160 && screen.rgba[i + 2] == 0 ? 1 : 0;
        }
        return count;
    }
    // Clicks on the first sphere until it is outlined.
    static bool pick(const std::string& window) {
        for (int attempt = 0; attempt < 4; ++attempt) {
            display_->click(window, 510, 355);
            for (int i = 0; i < 15; ++i) {
                if (outlined() > 20) return true;
                pause(200);
            }
        }
        return false;
    }
};

TEST_F(PanelsTest, NumberKeysChooseViewsAndTheLegendNamesThem) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "900", "300"});
    const auto colors = [&] { return colors_in(display_->screenshot(), 450, 100, 500, 500).size(); };
    EXPECT_TRUE(press_until("2", [&] { return red_pixels(display_->screenshot()) < 20000 && colors() > 10; }));
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["view"], "meshlets");
}

TEST_F(PanelsTest, AClickPicksAndEscapeDrops) {
    const std::string window = open();
    EXPECT_TRUE(pick(window));
    const Json json = quit(window);
    ASSERT_FALSE(json["picked"].is_null());
    EXPECT_GE(json["picked"]["triangle"], 0);
    EXPECT_GT(json["picked"]["parts"]["meshlet"]["triangles"], 0);
    EXPECT_GT(json["widgets"]["picked"][3], 0) << "the panel tells of it";

    // Its arrows step on: to the next sublet, which is smaller.
    const Json arrow = json["widgets"]["next sublet"];
    const std::string again = open();
    EXPECT_TRUE(pick(again));
    const int of_meshlet = outlined();
    display_->click(again, static_cast<int>(arrow[0].get<double>() + arrow[2].get<double>() / 2.0),
                    static_cast<int>(arrow[1].get<double>() + arrow[3].get<double>() / 2.0));
    EXPECT_TRUE(wait_until([&] { return outlined() != of_meshlet; }));
    const Json next = quit(again);
    ASSERT_FALSE(next["picked"].is_null());
    const std::uint64_t before = json["picked"]["sublet"];
    const std::uint64_t after = next["picked"]["sublet"];
    EXPECT_TRUE(after == before + 1 || after == 0) << before << " -> " << after;
    EXPECT_EQ(next["settings"]["pick-level"], "sublet");

    const std::string third = open();
    EXPECT_TRUE(pick(third));
    EXPECT_TRUE(press_until("Escape", [&] { return outlined() == 0; }));
    EXPECT_TRUE(quit(third)["picked"].is_null());
}

// There are two spheres side by side, of which the left one is picked.
TEST_F(PanelsTest, WhatIsPickedIsHiddenAndShownAgain) {
    const std::string window = open();
    const auto seen = [&] {
        constexpr std::uint32_t kBetween = 634;  // a column
        const app::ColorImage screen = display_->screenshot();
        std::array<int, 2> red{};
        for (std::size_t i = 0; i < screen.rgba.size(); i += 4) {
            const std::size_t side = i / 4 % screen.width < kBetween ? 0 : 1;
            red.at(side) += screen.rgba[i] > 2 * screen.rgba[i + 1] + 20 ? 1 : 0;
        }
        constexpr int kSome = 5000;  // of a sphere, which has three times as many
        return std::pair(red[0] > kSome, red[1] > kSome);
    };
    const auto shows = [&](bool left, bool right) {
        return [&, left, right] { return seen() == std::pair(left, right); };
    };
    ASSERT_TRUE(wait_until(shows(true, true)));
    ASSERT_TRUE(pick(window));
    EXPECT_TRUE(press_until("h", shows(false, true)));
    EXPECT_TRUE(press_until("alt+h", shows(true, true)));
    EXPECT_TRUE(press_until("shift+h", shows(true, false)));
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["hide"], nullptr);
    EXPECT_EQ(json["settings"]["isolate"], "plain");
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

TEST_F(PanelsTest, SleepsWhileNothingHappens) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "900", "300"});
    // Once pipelines are compiled and the picture is refined, however long that takes.
    double share = 1.0;
    for (int attempt = 0; attempt < 40 && share >= 0.012; ++attempt) {
        const double before = cpu_seconds(viewer_->pid());
        ASSERT_GT(before, 0.1);
        std::this_thread::sleep_for(std::chrono::seconds(5));
        share = (cpu_seconds(viewer_->pid()) - before) / 5.0;
    }
    EXPECT_LT(share, 0.012) << "of a core";  // a hundredth, and the clock's own grain
    quit(window);
}

// Their slider, their switch, and what the panel and the pointer tell of them.
TEST_F(PanelsTest, LevelsOfDetailAreToldAndSet) {
    write_text(folder_ / "fine.gltf", sphere_gltf(96).dump());
    const ProcessResult encoded = sublet({"encode", "fine.gltf", "-o", "fine.sublet", "--lod", "on"}, {folder_.path()});
    ASSERT_EQ(encoded.status, 0) << encoded.err;
    size_ = "1280x800";  // wide enough for numbers beside the settings
    // A pixel between the panels in a colour of the view. Plain pictures, which count nothing, have none.
    const auto colored = [&]() -> std::optional<std::pair<int, int>> {
        const app::ColorImage screen = display_->screenshot();
        for (int y = 100; y < 660; y += 8) {
            for (int x = 380; x < 900; x += 8) {
                const std::set<std::uint32_t> colors = colors_in(screen, x - 4, y - 4, 9, 9);
                for (const std::uint32_t color : shared::kLodErrorColors) {
                    const std::uint32_t rgb = (color & 0xffU) << 16U | (color & 0xff00U) | color >> 16U;
                    if (colors.size() == 1 && colors.contains(rgb)) return std::pair{x, y};
                }
            }
        }
        return std::nullopt;
    };
    const auto open_levels = [&] {
        start({"--view", "lod-error"}, "fine.sublet");
        window_ = display_->wait_for_window("Sublet");
        EXPECT_TRUE(wait_until([&] { return colored().has_value(); }));
        settle();
        return window_;
    };
    const Json before = quit(open_levels());
    for (const char* name : {"lod", "lod-error", "pointed level"}) {
        ASSERT_TRUE(before["widgets"].contains(name)) << name;
    }
    EXPECT_EQ(before["settings"]["lod"], "on");
    EXPECT_LT(before["counters"]["lod_triangles"], before["counters"]["lod_triangles_of_finest"]);

    const std::string window = open_levels();
    const std::vector<double> slider = before["widgets"]["Error of levels"];
    // Three quarters along the slider's own part, which its label stands behind.
    display_->click(window, static_cast<int>(slider[0] + 0.75 * 0.5 * slider[2]),
                    static_cast<int>(slider[1] + 0.5 * slider[3]));
    settle();
    const auto [x, y] = colored().value_or(std::pair{0, 0});
    display_->act({"mousemove", "--window", window, std::to_string(x), std::to_string(y)});
    settle();
    pause(1000);
    display_->act({"key", "ctrl+q"});
    const Json after = finish();
    EXPECT_GT(after["settings"]["lod-error"].get<double>(), 4.0);
    EXPECT_LT(after["counters"]["lod_triangles"], before["counters"]["lod_triangles"]);
    ASSERT_FALSE(after["pointed"].is_null());
    EXPECT_GT(after["pointed"]["lod_level"], 0);
    EXPECT_GT(after["pointed"]["lod_pixels"], 0.0);
    EXPECT_LE(after["pointed"]["lod_pixels"], after["settings"]["lod-error"].get<double>());
}

TEST_F(PanelsTest, MakesTheDeviceAnewForItsSettings) {
    const auto at = [&](const Json& rectangle) {
        return std::pair{static_cast<int>(rectangle[0].get<double>() + 12.0),
                         static_cast<int>(rectangle[1].get<double>() + rectangle[3].get<double>() / 2.0)};
    };
    start({"--frames", "4"});
    const auto [group_x, group_y] = at(finish()["widgets"]["group Device settings"]);
    std::string window = open();
    display_->click(window, group_x, group_y);
    settle();
    const Json opened = quit(window)["widgets"]["without"];
    ASSERT_GT(opened[3], 0) << "the group is open";
    const auto [x, y] = at(opened);

    window = open();
    display_->click(window, group_x, group_y);
    settle();
    display_->drag(window, 600, 400, 760, 460);
    display_->click(window, x, y);
    settle();
    display_->act({"type", "--delay", "80", "multi-draw"});
    display_->act({"key", "Return"});
    std::this_thread::sleep_for(std::chrono::seconds(3));
    EXPECT_TRUE(wait_until([&] { return red_pixels(display_->screenshot()) > 500; })) << "it draws on";
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["without"], "multi-draw");
    EXPECT_EQ(json["settings"]["backend"], "mdi");
    EXPECT_EQ(json["settings"]["cull-sublets"], "off") << "what mdi can't do without it";
}

TEST_F(PanelsTest, AMessageGoesWithItsCause) {
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

TEST_F(PanelsTest, PanelsFollowTheWindowAndLeaveRoomForTheScene) {
    const std::string window = open();
    for (const auto& [width, height] : {std::pair{420, 330}, {1240, 780}, {210, 160}, {960, 540}}) {
        display_->act({"windowsize", "--sync", window, std::to_string(width), std::to_string(height)});
        settle();
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

TEST_F(PanelsTest, TabsStayWhileTheirPanelScrolls) {
    size_ = "1000x300";
    start({"--frames", "4"});
    const Json still = finish()["widgets"];
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "100", "150", "click", "--repeat", "5", "5"});
    settle();
    display_->act({"mousemove", "--window", window, "600", "150", "key", "ctrl+q"});
    const Json scrolled = finish()["widgets"];
    EXPECT_LT(scrolled["wireframe"][1], still["wireframe"][1]);
    EXPECT_EQ(scrolled["tab Numbers"], still["tab Numbers"]);
}

TEST_F(PanelsTest, NamesHaveRoomInASmallWindow) {
    size_ = "700x500";
    start({"--frames", "4"});
    const Json tab = finish()["widgets"]["tab Outliner"];
    const std::string window = open();
    click_on(window, tab);
    display_->act({"mousemove", "--window", window, "500", "200", "key", "ctrl+q"});
    EXPECT_GT(finish()["widgets"]["outliner row plain"][2], 100.0);
}

// Digit by digit: the first ones alone could be had.
TEST_F(PanelsTest, ANumberThatIsRefusedLeavesTheOneBefore) {
    const Json slider = widgets_after("group Light")["sun-strength"];
    ASSERT_FALSE(slider.is_null());
    const std::string window = open({"--sun-strength", "1.5"});
    click_on(window, header_);
    display_->act({"keydown", "ctrl"});
    display_->click(window, static_cast<int>(slider[0].get<double>()) + 20, middle(slider).second);
    display_->act({"keyup", "ctrl", "key", "ctrl+a", "type", "--delay", "80", "999999"});
    display_->act({"key", "Return"});
    settle();
    EXPECT_EQ(quit(window)["settings"]["sun-strength"], 1.5);
}

TEST_F(PanelsTest, HelpFitsAndEscapeClosesIt) {
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

TEST_F(PanelsTest, TheFileMenuExportsTheLastFrames) {
    const auto middle = [](const Json& r) {
        return std::pair{static_cast<int>(r[0].get<double>() + r[2].get<double>() / 2.0),
                         static_cast<int>(r[1].get<double>() + r[3].get<double>() / 2.0)};
    };
    std::string window = open();
    display_->click(window, 22, 9);
    settle();
    const Json item = quit(window)["widgets"]["Export the last frames as CSV"];
    ASSERT_FALSE(item.is_null()) << "the menu is open";
    window = open();
    display_->click(window, 22, 9);
    settle();
    const auto [x, y] = middle(item);
    display_->click(window, x, y);
    EXPECT_TRUE(wait_until([&] { return std::filesystem::exists(folder_ / "frames.csv"); }));
    quit(window);
    const std::string csv = read_text(folder_ / "frames.csv");
    EXPECT_NE(csv.find("gpu_ms"), std::string::npos);
    EXPECT_NE(csv.find("user interface"), std::string::npos);
    EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST_F(PanelsTest, TheWheelComesNearAndNeverGoesThrough) {
    start({"--frames", "4"});
    const Json still = finish()["settings"];
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "510", "355"});
    settle();
    for (int i = 0; i < 64; ++i) {
        display_->act({"click", "4"});
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    settle();
    const app::ColorImage screen = display_->screenshot();
    const Json json = quit(window)["settings"];
    EXPECT_LT(json["near"].get<double>(), still["near"].get<double>()) << "the near plane makes room";
    EXPECT_GT(red_pixels(screen), 300000) << "it fills the window: from inside it would not be seen";
    EXPECT_NE(json["camera"], still["camera"]);
}

TEST_F(PanelsTest, HoldingXShowsTheOtherSettings) {
    start({"--frames", "4"});
    const Json compare = finish()["widgets"]["compare"];
    const auto middle = [](const Json& r) {
        return std::pair{static_cast<int>(r[0].get<double>() + 12.0),
                         static_cast<int>(r[1].get<double>() + r[3].get<double>() / 2.0)};
    };
    const auto [x, y] = middle(compare);
    std::string window = open();
    display_->click(window, x, y);
    settle();
    const auto [keep_x, keep_y] = middle(quit(window)["widgets"]["keep B"]);
    window = open();
    display_->click(window, x, y);
    settle();
    display_->click(window, keep_x, keep_y);
    settle();
    display_->act({"mousemove", "--window", window, "900", "300"});
    const auto red = [&] { return red_pixels(display_->screenshot()) > 20000; };
    EXPECT_TRUE(press_until("8", [&] { return !red(); })) << "another view";
    display_->act({"keydown", "x"});
    EXPECT_TRUE(wait_until(red)) << "the kept settings are shown";
    pause(2000);
    display_->act({"keyup", "x"});
    EXPECT_TRUE(wait_until([&] { return !red(); }));
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["view"], "uv");
    ASSERT_FALSE(json["compared"].empty()) << "both were timed";
    EXPECT_EQ(json["compared"][0]["name"], "whole frame");
    EXPECT_GT(json["compared"][0]["a_ms"].get<double>(), 0.0);
    EXPECT_GT(json["compared"][0]["b_ms"].get<double>(), 0.0);
}

TEST_F(PanelsTest, TheWindowIsSplitBetweenTheSettingsAndB) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "900", "300"});
    // Whether a part of the picture shows the red sphere, or nothing red; without the divider and what stands beside
    // it.
    const auto reds_at = [&](int x) {
        int count = 0;
        for (const std::uint32_t color : colors_in(display_->screenshot(), x, 330, 90, 60)) {
            count += (color >> 16U) > 2 * (color >> 8U & 255U) + 20 ? 1 : 0;
        }
        return count;
    };
    constexpr int kLeft = 400;
    constexpr int kRight = 530;
    EXPECT_TRUE(wait_until([&] { return reds_at(kLeft) > 10 && reds_at(kRight) > 10; }));
    // B is what is there when the window is split: then the view is changed.
    const auto line = [&] { return colors_in(display_->screenshot(), 480, 330, 40, 2).contains(0xffffffU); };
    EXPECT_TRUE(press_until("y", line)) << "a divider in the middle";
    EXPECT_TRUE(press_until("9", [&] { return reds_at(kLeft) == 0; })) << "another view to the left";
    EXPECT_GT(reds_at(kRight), 10) << "B is what it was";
    display_->drag(window, 500, 200, 420, 200);
    EXPECT_TRUE(wait_until([&] { return !line(); })) << "the divider follows the pointer";
    display_->act({"mousemove", "--window", window, "900", "300"});
    settle();
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["view"], "depth");
    ASSERT_FALSE(json["split"].is_null());
    EXPECT_NEAR(json["split"]["divider"].get<double>(), 0.42, 0.01);
    EXPECT_GT(json["split"]["a_ms"].get<double>(), 0.0);
    EXPECT_GT(json["split"]["b_ms"].get<double>(), 0.0);
    EXPECT_GT(json["widgets"]["side A"][2], 0);
    EXPECT_GT(json["widgets"]["side B"][0], json["widgets"]["side A"][0]);
    EXPECT_EQ(json["settings"]["camera"], start_settings()["camera"]) << "the drag was the divider's";
}

TEST_F(PanelsTest, WhatHasNoEffectIsGrey) {
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
    settle();
    EXPECT_EQ(quit(window)["settings"]["cull-occlusion"], "off");
}

TEST_F(PanelsTest, TheHintIsThereUntilAClick) {
    start({"--frames", "4"});
    EXPECT_TRUE(finish()["widgets"].contains("Hint"));
    const std::string window = open();
    display_->click(window, 900, 650);
    EXPECT_FALSE(quit(window)["widgets"].contains("Hint"));
}

TEST_F(PanelsTest, TheGraphTellsOfTheFrameUnderThePointer) {
    const Json graph = widgets_after("tab Numbers")["graph"];
    ASSERT_FALSE(graph.is_null());
    const std::string window = open();
    click_on(window, header_);
    const auto white = [&] {
        return colors_in(display_->screenshot(), static_cast<int>(graph[0].get<double>()),
                         static_cast<int>(graph[1].get<double>()) + 30, static_cast<int>(graph[2].get<double>()), 20)
            .contains(0xffffffU);
    };
    EXPECT_FALSE(white());
    // The newest frame.
    display_->act({"mousemove", "--window", window,
                   std::to_string(static_cast<int>(graph[0].get<double>() + graph[2].get<double>()) - 2),
                   std::to_string(middle(graph).second)});
    EXPECT_TRUE(wait_until(white)) << "the column is marked";
    quit(window);
}

TEST_F(PanelsTest, ARightClickLeadsToTheDocumentation) {
    // The desktop's opener, as a test has it.
    write_text(folder_ / "bin/xdg-open", "#!/bin/sh\nprintf '%s' \"$1\" >\"${0%/*}/got\"\n");
    std::filesystem::permissions(folder_ / "bin/xdg-open", std::filesystem::perms::owner_all);
    start({"--frames", "4"});
    const Json box = finish()["widgets"]["cull-cone"];
    const auto [x, y] = std::pair{static_cast<int>(box[0].get<double>()) + 30, middle(box).second};
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", ((folder_ / "bin").string() + ":" + path).c_str(), 1);
    const std::string window = open();
    ::setenv("PATH", path.c_str(), 1);
    display_->act({"mousemove", "--window", window, std::to_string(x), std::to_string(y)});
    settle();
    display_->act({"mousedown", "3"});
    settle();
    display_->act({"mouseup", "3"});
    settle();
    // The menu's one item lies beside the pointer.
    display_->click(window, x + 30, y + 14);
    EXPECT_TRUE(wait_until([&] { return std::filesystem::exists(folder_ / "bin/got"); }));
    EXPECT_EQ(quit(window)["settings"]["cull-cone"], "on") << "the setting itself stays";
    EXPECT_TRUE(read_text(folder_ / "bin/got").ends_with("docs/CULLING.md")) << read_text(folder_ / "bin/got");
}

TEST_F(PanelsTest, ArrowsAndSpaceWorkTheSettings) {
    start({"--frames", "4"});
    const Json box = finish()["widgets"]["wireframe"];
    const std::string window = open();
    display_->click(window, static_cast<int>(box[0].get<double>()) + 8, middle(box).second);
    display_->act({"mousemove", "--window", window, "600", "300"});
    for (const char* const key : {"Up", "Down", "space"}) {
        display_->act({"key", key});
        settle();
    }
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["wireframe"], "off") << "clicked on, and off again by a key";
    EXPECT_FALSE(json["widgets"].contains("Said")) << "Space is the widget's: no word of paths";
}

}  // namespace
}  // namespace sublet::test
