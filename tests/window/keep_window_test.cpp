// What the viewer keeps: its state from run to run, presets, pictures with their command lines.
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <sstream>

#include "kept_viewer.h"

namespace sublet::test {
namespace {

namespace fs = std::filesystem;

class KeepTest : public KeptViewerTest {
  protected:
    void SetUp() override {
        KeptViewerTest::SetUp();
        environment_.push_back("XDG_STATE_HOME=" + (folder_ / "state").string());
        fresh_ = false;
    }

    const fs::path state_ = folder_ / "state/sublet/state.json";
};

// It is over the window alone, and comes back.
TEST_F(KeepTest, TheFloorGridIsSeenInTheWindowAndInNoPicture) {
    std::string window = open_and_point();
    EXPECT_TRUE(press_until("F12", [&] { return fs::exists(folder_ / "picture.png"); }));
    settle();
    const auto floor = [&] { return colors_in(display_->screenshot(), 420, 520, 380, 160).size(); };
    const std::size_t before = floor();
    EXPECT_TRUE(press_until("l", [&] { return floor() > before + 5; }));
    EXPECT_TRUE(press_until("F12", [&] { return fs::exists(folder_ / "picture-2.png"); }));
    const Json json = quit(window);
    EXPECT_EQ(json["floor_grid"]["height"], 0.0);
    EXPECT_EQ(json["floor_grid"]["spacing"].get<float>(), 0.1F);
    EXPECT_EQ(app::read_png(folder_ / "picture.png").rgba, app::read_png(folder_ / "picture-2.png").rgba);
    EXPECT_EQ(app::read_png_command(folder_ / "picture.png"), app::read_png_command(folder_ / "picture-2.png"));

    window = open_and_point();
    EXPECT_TRUE(wait_until([&] { return floor() > before + 5; })) << "it was kept";
    EXPECT_TRUE(press_until("l", [&] { return floor() <= before; }));
    EXPECT_TRUE(quit(window)["floor_grid"].is_null());
}

TEST_F(KeepTest, AViewerComesBackAsItWasLeft) {
    std::string window = open_and_point();
    display_->act({"key", "g"});
    display_->act({"key", "ctrl+3"});
    const std::string bookmark = camera();
    display_->drag(window, 600, 400, 760, 460);
    display_->act({"windowsize", "--sync", window, "900", "700"});
    const std::string left = camera();
    EXPECT_NE(left, bookmark);
    const Json first = quit(window);
    EXPECT_EQ(first["size"], Json::array({900, 700}));
    EXPECT_EQ(first["settings"]["wireframe"], "on");

    // Again, where a section is unfolded, and then the panels are hidden.
    const Json panel = Json::array({20, 20, 150, 40});
    size_.clear();
    window = open_and_point();
    EXPECT_EQ(camera(), left) << "to the last digit";
    click_on(window, first["widgets"]["camera panel"]);
    point(window);
    EXPECT_TRUE(press_until("Tab", [&] { return colors_of(panel).size() == 1; }));
    const Json second = quit(window);
    EXPECT_EQ(second["size"], first["size"]);
    EXPECT_EQ(second["settings"]["wireframe"], "on");
    EXPECT_EQ(second["settings"]["camera"], first["settings"]["camera"]);

    // On a screen that is there no more.
    Json state = Json::parse(read_text(state_));
    state["window"]["position"] = {30000, -20000};
    write_text(state_, state.dump());
    window = open_and_point();
    std::istringstream place(display_->act({"getwindowgeometry", "--shell", window}));
    for (std::string line; std::getline(place, line);) {
        if (!line.starts_with("X=") && !line.starts_with("Y=")) continue;
        const int at = std::stoi(line.substr(2));
        EXPECT_TRUE(at >= 0 && at < 600) << line;
    }
    EXPECT_EQ(colors_of(panel).size(), 1U) << "still hidden";
    EXPECT_GT(colors_of(Json::array({350, 10, 200, 30})).size(), 3U) << "a word of how to show them";
    EXPECT_TRUE(press_until("Tab", [&] { return colors_of(panel).size() > 1; }));
    EXPECT_TRUE(press_until("alt+3", [&] { return camera() == bookmark; }));
    const Json third = quit(window);
    EXPECT_GT(third["widgets"].size(), first["widgets"].size()) << "the section is still unfolded";

    // Runs that end by themselves, and fresh ones, neither take nor leave anything.
    const std::string kept = read_text(state_);
    start({"--frames", "3"});
    const Json script = finish();
    EXPECT_EQ(script["settings"]["wireframe"], "off");
    EXPECT_NE(script["settings"]["camera"], third["settings"]["camera"]);
    fresh_ = true;
    quit(open_and_point());
    EXPECT_EQ(read_text(state_), kept);
}

TEST_F(KeepTest, AStateThatCantBeReadIsPutAside) {
    write_text(state_, R"({"version": 1, "window": {"width": -3}})");
    quit(open());
    const std::string said = viewer_->wait().err;
    EXPECT_NE(said.find("note: " + state_.string() + ": window.width: must be a whole number"), std::string::npos)
        << said;
    EXPECT_TRUE(fs::exists(state_.string() + ".damaged"));
    EXPECT_TRUE(Json::parse(read_text(state_))["scenes"].contains((folder_ / "sphere.gltf").string()));
}

TEST_F(KeepTest, AStateOfANewerProgramIsLeftAlone) {
    const std::string newer = R"({"version": 1000, "all": "else"})";
    write_text(state_, newer);
    const std::string window = open();
    EXPECT_FALSE(shows_message());
    quit(window);
    EXPECT_NE(viewer_->wait().err.find("newer version"), std::string::npos);
    EXPECT_EQ(read_text(state_), newer);
    EXPECT_FALSE(fs::exists(state_.string() + ".damaged"));
}

TEST_F(KeepTest, APresetIsSavedAndLoadedByTheMenu) {
    const Json menu = file_menu();
    fresh_ = true;
    // The desktop's dialog, as a test has it: it answers with the one preset's name.
    install("zenity", "printf '%s\\n' \"${0%/*}/../$(cat \"${0%/*}/answer\")\"\n");
    write_text(folder_ / "bin/answer", "p.json");
    // More than a device without mesh shaders can do, and a setting of the scene before it.
    write_text(folder_ / "bad.json", R"({"preset": 1, "settings": {"grid": "3x3x1", "backend": "mesh-sublets"}})");
    const std::string window = open_and_point({"--without", "mesh-shader"});
    display_->act({"key", "g"});
    EXPECT_TRUE(choose_until(window, "Save a preset...", [&] { return fs::exists(folder_ / "p.json"); }));
    Json saved = Json::parse(read_text(folder_ / "p.json"));
    for (const char* const own : {"validation", "environment"}) saved["settings"].erase(own);  // of all tests here
    const Json expected{{"preset", 1}, {"settings", {{"wireframe", "on"}, {"without", "mesh-shader"}}}};
    EXPECT_EQ(saved, expected);
    EXPECT_TRUE(press_until("8", [&] { return !red(); })) << "another view";
    EXPECT_TRUE(choose_until(window, "Load a preset...", [&] { return red(); })) << "the view is the preset's";

    write_text(folder_ / "bin/answer", "bad.json");
    EXPECT_TRUE(choose_until(window, "Load a preset...", [&] { return shows_message(); }));
    const std::string before = camera();
    const Json json = quit(window);
    EXPECT_EQ(json["settings"]["wireframe"], "on");
    EXPECT_EQ(json["settings"]["view"], "shaded");
    EXPECT_TRUE(json["settings"]["grid"].is_null()) << "the old settings, all of them";
    EXPECT_EQ(json["counters"]["instances"], 2);
    EXPECT_NE(before.find(json["settings"]["camera"].get<std::string>()), std::string::npos);

    start({"--frames", "3", "--preset", "p.json", "--seed", "3"});
    EXPECT_EQ(finish()["settings"]["wireframe"], "on");
    EXPECT_NE(viewer_->wait().err.find("note: --seed has no effect."), std::string::npos) << "as render says it";
}

TEST_F(KeepTest, AResetWithNothingToResetLeavesTheWayBackOfTheOneBefore) {
    fresh_ = true;
    file_menu();
    Json undo;
    for (const int resets : {1, 2}) {
        const std::string window = open_and_point();
        EXPECT_TRUE(press_until("8", [&] { return !red(); })) << "another view";
        EXPECT_TRUE(choose_until(window, "Reset all settings", [&] { return red(); }));
        if (resets == 2) {
            choose_until(window, "Reset all settings", [] { return true; });
            EXPECT_TRUE(click_until(window, undo, [&] { return !red(); })) << "the other view again";
        }
        undo = quit(window)["widgets"]["offer"];
    }
}

class PictureTest : public KeptViewerTest {
  protected:
    // Runs the command line that a picture carries, elsewhere; both pictures must be the same to the bit.
    void expect_drawn_again(const std::string& name) {
        const std::optional<std::string> line = app::read_png_command(folder_ / name);
        ASSERT_TRUE(line);
        SCOPED_TRACE(*line);
        fs::create_directories(folder_ / "elsewhere");
        const ProcessResult again = run_line(*line, {.folder = folder_ / "elsewhere"});
        ASSERT_EQ(again.status, 0) << again.err;
        const app::ColorImage ours = app::read_png(folder_ / name);
        const app::ColorImage theirs = app::read_png(folder_ / "elsewhere/picture.png");
        EXPECT_EQ(ours.width, theirs.width);
        EXPECT_EQ(ours.height, theirs.height);
        EXPECT_TRUE(ours.rgba == theirs.rgba) << "not the same pixels";
    }
};

TEST_F(PictureTest, CarriesTheCommandLineThatDrawsItAgain) {
    ASSERT_EQ(::setenv("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1", 0), 0);  // of a software driver: one way to round
    const std::string window = open_and_point();
    display_->drag(window, 600, 400, 760, 460);
    display_->act({"key", "g"});
    const Json middle = Json::array({500, 340, 40, 40});
    const auto shaded = colors_of(middle);
    EXPECT_TRUE(press_until("2", [&] { return colors_of(middle) != shaded; })) << "another view";
    camera();
    EXPECT_TRUE(press_until("F12", [&] { return fs::exists(folder_ / "picture.png"); }));
    display_->act({"key", "ctrl+c"});
    std::string copied;
    EXPECT_TRUE(wait_until([&] { return (copied = clipboard_text(display_->name())).starts_with("sublet render"); }));
    // All that differs, and no more: a word for each.
    std::set<std::string> options;
    std::istringstream words(copied);
    for (std::string word; words >> word;) {
        if (word.starts_with("--")) options.insert(word.substr(0, word.find('=')));
    }
    EXPECT_EQ(options, (std::set<std::string>{"--size", "--frames", "--view", "--wireframe", "--camera", "--near",
                                              "--projection", "--environment"}))
        << copied;
    // While the camera moves: the line is of that very picture.
    display_->act({"mousedown", "1"});
    settle();
    display_->act({"mousemove_relative", "35", "20", "key", "F12", "mousemove_relative", "35", "10"});
    EXPECT_TRUE(wait_until([&] { return fs::exists(folder_ / "picture-2.png"); }));
    display_->act({"mouseup", "1"});
    quit(window);
    EXPECT_EQ(app::read_png_command(folder_ / "picture.png"), copied);
    expect_drawn_again("picture.png");
    EXPECT_NE(app::read_png_command(folder_ / "picture-2.png"), copied);
    expect_drawn_again("picture-2.png");
}

TEST_F(PictureTest, IsOfAllThatWasPressedWhileTheLastFrameTookLong) {
    const std::string window = open_and_point();
    display_->act({"key", "F12"});  // once: a second press would make picture-2.png
    EXPECT_TRUE(wait_until([&] { return fs::exists(folder_ / "picture.png"); }));  // no plain one any more
    settle();
    ::kill(viewer_->pid(), SIGSTOP);
    display_->act({"key", "F12"});
    display_->act({"key", "2"});
    ::kill(viewer_->pid(), SIGCONT);
    EXPECT_TRUE(wait_until([&] { return fs::exists(folder_ / "picture-2.png"); }));
    quit(window);
    const std::string line = app::read_png_command(folder_ / "picture-2.png").value_or("");
    EXPECT_NE(line.find("--view meshlets"), std::string::npos) << line;
}

// A picture that stays becomes the one that render averages.
TEST_F(PictureTest, IsRefinedWhileNothingMoves) {
    ASSERT_EQ(::setenv("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1", 0), 0);
    const std::string window = open_and_point({"--samples", "5"});
    const auto saved = [&](int picture) {
        const std::string name = picture == 1 ? "picture.png" : "picture-" + std::to_string(picture) + ".png";
        display_->act({"key", "F12"});  // once: each has a picture of its own
        EXPECT_TRUE(wait_until([&] { return fs::exists(folder_ / name); }));
        return name;
    };
    std::string smooth;
    int count = 0;
    bool whole = false;
    while (!whole && count < 8) {
        pause(1000 * ++count);  // a picture that is asked for too early starts it anew
        smooth = saved(count);
        whole = app::read_png_command(folder_ / smooth).value_or("").find("--samples 5") != std::string::npos;
    }
    ASSERT_TRUE(whole);
    expect_drawn_again(smooth);
    // Any move starts it anew: the picture is again that of its own command, which averages as many as came since.
    display_->act({"mousedown", "1"});
    settle();
    display_->act({"mousemove_relative", "35", "20", "key", "F12", "mousemove_relative", "35", "10"});
    const std::string moved = "picture-" + std::to_string(count + 1) + ".png";
    EXPECT_TRUE(wait_until([&] { return fs::exists(folder_ / moved); }));
    display_->act({"mouseup", "1"});
    EXPECT_NE(app::read_png_command(folder_ / moved), app::read_png_command(folder_ / smooth));
    expect_drawn_again(moved);
    quit(window);
}

}  // namespace
}  // namespace sublet::test
