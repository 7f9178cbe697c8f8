// What the viewer opens: by dialogs and menus, folders, files that change, and files that take long or can't be read.
#include "kept_viewer.h"

namespace sublet::test {
namespace {

namespace fs = std::filesystem;

class OpenTest : public KeptViewerTest {
  protected:
    bool drop(const std::string& window, const std::string& name) {
        return drop_file(display_->name(), window, (folder_ / name).string());
    }
    // The title bar of our own list of files.
    [[nodiscard]] bool shows_list() const {
        return colors_in(display_->screenshot(), 320, 60, 640, 640).contains(41U << 16U | 74U << 8U | 122U);
    }
    // Exchanges a file for another at once, as editors do.
    void replace(const std::string& name, const std::string& text) const {
        write_text(folder_ / "new", text);
        fs::rename(folder_ / "new", folder_ / name);
    }
};

TEST_F(OpenTest, TheDesktopsDialogAndTheRecentScenes) {
    write_text(folder_ / "blue.gltf", blue_sphere());
    const Json menu = file_menu();
    install("zenity", "echo asked >>\"${0%/*}/asked\"\ncat \"${0%/*}/answer\"\n");
    const std::string window = open_and_point();
    EXPECT_TRUE(press_until("ctrl+o", [&] { return fs::exists(folder_ / "bin/asked"); }));
    camera();  // frames have passed since
    EXPECT_FALSE(shows_message()) << "a dialog that is cancelled changes nothing";
    EXPECT_TRUE(red());
    write_text(folder_ / "bin/answer", (folder_ / "blue.gltf").string() + "\n");
    EXPECT_TRUE(press_until("ctrl+o", [&] { return blue(); }));

    // The newest stands first: the second is the sphere.
    open_file_menu(window);
    const auto [x, y] = middle(menu["Open recent"]);
    const int pitch = middle(menu["Load again"]).second - y;
    display_->click(window, x, y);
    settle();
    const int beside = static_cast<int>(menu["Quit"][0].get<double>() + menu["Quit"][2].get<double>()) + 60;
    display_->act({"mousemove", "--window", window, std::to_string(beside), std::to_string(y)});
    settle();
    display_->click(window, beside, y + pitch);
    point(window);
    EXPECT_TRUE(wait_until([&] { return red(); }));
    EXPECT_EQ(quit(window)["scene"], "sphere.gltf");
}

TEST_F(OpenTest, FoldersAndOurOwnListOfFiles) {
    write_text(folder_ / "one/blue.gltf", blue_sphere());
    write_text(folder_ / "several/a.gltf", blue_sphere());
    write_text(folder_ / "several/b.gltf", blue_sphere());
    fs::create_directories(folder_ / "none");
    // As an argument.
    start({"--frames", "3"}, "one");
    EXPECT_EQ(finish()["scene"], "blue.gltf");
    const ProcessOptions options{folder_.path(), environment_, 60};
    EXPECT_EQ(sublet({"view", "none", "--fresh"}, options).err,
              "error: none: this is a folder without a .gltf, .glb or .sublet file\n");
    EXPECT_EQ(sublet({"view", "several", "--fresh"}, options).err,
              "error: several: this is a folder with 2 scenes: name one, a.gltf for example\n");

    // Where no program asks for files, the viewer does, in the folder that the scene is in.
    environment_.push_back("PATH=" + (folder_ / "none").string());
    std::string window = open_and_point();
    EXPECT_TRUE(press_until("ctrl+o", [&] { return shows_list(); }));
    const Json list = quit(window)["widgets"];
    EXPECT_TRUE(list.contains("file sphere.gltf")) << list;
    const Json& first_entry = list["file none"];
    ASSERT_FALSE(first_entry.is_null());

    // Dropped.

    window = open_and_point();
    EXPECT_TRUE(drop(window, "none"));
    EXPECT_TRUE(wait_until([&] { return shows_message(); }));
    EXPECT_TRUE(press_until("Escape", [&] { return !shows_message(); }));
    EXPECT_TRUE(drop(window, "several"));
    EXPECT_TRUE(wait_until([&] { return shows_list(); }));
    EXPECT_TRUE(click_until(window, first_entry, [&] { return blue(); }));
    replace("one/blue.gltf", sphere_gltf(20).dump());
    EXPECT_TRUE(drop(window, "one"));
    EXPECT_TRUE(wait_until([&] { return red(); })) << "the one scene of a folder";
    point(window);
    EXPECT_TRUE(press_until("ctrl+o", [&] { return shows_list(); })) << "the folder of what is shown";
    const Json json = quit(window);
    EXPECT_EQ(json["scene"], "blue.gltf");
    EXPECT_TRUE(json["widgets"].contains("file blue.gltf")) << json["widgets"];
}

// Of a file with two scenes, the second a blue sphere: the list of the panel changes to it, and the next start has it.
TEST_F(OpenTest, AnotherSceneOfTheFile) {
    Json gltf = sphere_gltf(20);
    gltf["materials"].push_back({{"pbrMetallicRoughness", {{"baseColorFactor", {0.05, 0.1, 0.9, 1.0}}}}});
    gltf["meshes"].push_back(gltf["meshes"][0]);
    gltf["meshes"].back()["primitives"][0]["material"] = gltf["materials"].size() - 1;
    gltf["nodes"].push_back({{"name", "far"}, {"mesh", gltf["meshes"].size() - 1}, {"translation", {50, 0, 0}}});
    gltf["scenes"].push_back({{"name", "blue one"}, {"nodes", {gltf["nodes"].size() - 1}}});
    write_text(folder_ / "two.gltf", gltf.dump());
    start({"--frames", "4"}, "two.gltf");
    const Json closed = finish()["widgets"]["file scene"];
    ASSERT_FALSE(closed.is_null());

    environment_.push_back("XDG_STATE_HOME=" + (folder_ / "state").string());
    fresh_ = false;
    std::string window = open({}, "two.gltf");
    click_on(window, closed);
    settle();
    const Json list = quit(window)["widgets"];
    ASSERT_TRUE(list.contains("file scene 1")) << list;

    window = open({}, "two.gltf");
    EXPECT_TRUE(click_until(window, closed, [&] {
        display_->click(window, middle(list["file scene 1"]).first, middle(list["file scene 1"]).second);
        return wait_until([&] { return blue(); });
    })) << "framed anew: it lies elsewhere";
    const Json shown = quit(window);
    EXPECT_EQ(shown["file_scene"], "blue one");

    start({}, "two.gltf");
    window = display_->wait_for_window("Sublet");
    EXPECT_TRUE(wait_until([&] { return blue(); })) << "kept";
    EXPECT_EQ(quit(window)["file_scene"], "blue one");
    start({"--frames", "4"});
    EXPECT_FALSE(finish()["widgets"].contains("file scene")) << "where there is one scene there is no list";
}

TEST_F(OpenTest, AFileThatChangesIsLoadedAgain) {
    const std::string window = open_and_point();
    display_->drag(window, 600, 400, 760, 460);
    display_->act({"key", "g"});
    const std::string left = camera();
    replace("sphere.gltf", blue_sphere());
    EXPECT_TRUE(wait_until([&] { return blue(); }));
    EXPECT_EQ(camera(), left);
    replace("sphere.gltf", "{ this is no glTF");
    EXPECT_TRUE(wait_until([&] { return shows_message(); }));
    EXPECT_TRUE(red_pixels(display_->screenshot()) < 20000) << "the picture stays";
    // Nothing has changed since: only the key loads it again, and says the same.
    EXPECT_TRUE(press_until("Escape", [&] { return !shows_message(); }));
    EXPECT_TRUE(press_until("F5", [&] { return shows_message(); }));
    replace("sphere.gltf", sphere_gltf(20).dump());
    EXPECT_TRUE(wait_until([&] { return red() && !shows_message(); })) << "mended";
    EXPECT_EQ(camera(), left);
    EXPECT_EQ(quit(window)["settings"]["wireframe"], "on");
}

TEST_F(OpenTest, NotesAreDismissedUntilOthersCome) {
    // Two scenes of one name, on each of which there is something to say.
    write_text(folder_ / "noted.gltf", blue_sphere("EXT_unheard_of"));
    write_text(folder_ / "other/noted.gltf", blue_sphere("EXT_never_seen"));
    start({"--frames", "4"}, "noted.gltf");
    const Json notes = finish()["widgets"]["notes"];
    ASSERT_FALSE(notes.is_null());
    const std::string window = open_and_point();
    EXPECT_TRUE(drop(window, "noted.gltf"));
    EXPECT_TRUE(wait_until([&] { return blue(); }));
    point(window);
    const auto shown = colors_of(notes);
    // The cross at its right end.
    const double height = notes[3];
    const Json cross =
        Json::array({notes[0].get<double>() + notes[2].get<double>() - height, notes[1].get<double>(), height, height});
    const auto [x, y] = middle(cross);
    display_->click(window, x, y);
    point(window);
    EXPECT_TRUE(wait_until([&] { return colors_of(notes) != shown; }));
    const auto dismissed = colors_of(notes);
    camera();  // frames have passed since
    EXPECT_EQ(colors_of(notes), dismissed) << "they do not come back";
    EXPECT_TRUE(drop(window, "other/noted.gltf"));
    EXPECT_TRUE(wait_until([&] { return colors_of(notes) == shown; })) << "the other scene's are shown";
    // The status bar tells of them too.
    const Json above = Json::array({20, 690, 500, 50});
    const auto before = colors_of(above);
    display_->act({"mousemove", "--window", window, "40", "752"});
    EXPECT_TRUE(wait_until([&] { return colors_of(above) != before; })) << "a tooltip";
    EXPECT_TRUE(quit(window)["widgets"].contains("notes"));
}

TEST_F(OpenTest, LettersBelongToAnOpenMenu) {
    const std::string window = open_and_point();
    open_file_menu(window);
    display_->act({"key", "g"});
    settle();
    display_->act({"key", "Escape"});
    point(window);
    settle();
    display_->act({"key", "g"});
    settle();
    EXPECT_EQ(quit(window)["settings"]["wireframe"], "on") << "the second alone was the scene's";
}

TEST_F(OpenTest, SlowAndBrokenFilesLeaveTheOldSceneAlone) {
    write_text(folder_ / "held.gltf", blue_sphere());
    const fs::path hold = folder_ / "hold";
    const fs::path reached = folder_ / "hold.reached";
    const fs::path broken = folder_ / "hold.broken";
    environment_.insert(environment_.end(), {"LD_PRELOAD=" SUBLET_HELD_FILES, "SUBLET_HOLD=" + hold.string()});
    // Where the button is, a run of its own tells.
    write_text(hold, "");
    std::string window = open_and_point();
    EXPECT_TRUE(drop(window, "held.gltf"));
    EXPECT_TRUE(wait_until([&] { return fs::exists(reached); }));
    point(window);
    camera();  // frames have passed since
    // It ends all the same: a read that hangs can't be stopped.
    const Json cancel = quit(window)["widgets"]["cancel loading"];
    fs::remove(hold);
    ASSERT_FALSE(cancel.is_null());

    window = open_and_point();
    const auto nothing = colors_of(cancel);
    for (int file = 0; file < 2; ++file) {
        // Its first part is read, or its second.
        SCOPED_TRACE(file);
        fs::remove(reached);
        write_text(hold, "");
        EXPECT_TRUE(drop(window, "held.gltf"));
        EXPECT_TRUE(wait_until([&] { return fs::exists(reached); }));
        point(window);
        EXPECT_TRUE(wait_until([&] { return colors_of(cancel) != nothing; })) << "the card";
        const std::string before = camera();
        display_->drag(window, 600, 400, 700, 430);
        EXPECT_NE(camera(), before) << "the old scene can be looked at meanwhile";
        EXPECT_TRUE(click_until(window, cancel, [&] {
            point(window);
            return colors_of(cancel).size() == 1;
        })) << "the card is gone";
        fs::remove(hold);
        camera();
        EXPECT_TRUE(red());
        EXPECT_FALSE(shows_message());
    }
    write_text(broken, "");
    EXPECT_TRUE(drop(window, "held.gltf"));
    EXPECT_TRUE(wait_until([&] { return shows_message(); })) << "one clear error";
    EXPECT_TRUE(red());
    fs::remove(broken);
    EXPECT_TRUE(drop(window, "held.gltf"));
    EXPECT_TRUE(wait_until([&] { return blue(); }));
    EXPECT_EQ(quit(window)["scene"], "held.gltf");
}

}  // namespace
}  // namespace sublet::test
