// The camera as a person works it: drags, the wheel, bookmarks, paths, the file's cameras, typed and pasted numbers.
#include <array>
#include <cmath>
#include <sstream>

#include "viewer_test.h"

namespace sublet::test {
namespace {

class CameraWindowTest : public WindowTest {
  protected:
    CameraWindowTest() { validates_ = false; }

    // Eye and target of a reported camera.
    static std::array<double, 6> numbers(const Json& camera) {
        std::istringstream text(camera.get<std::string>());
        std::array<double, 6> out{};
        char comma = 0;
        for (double& number : out) text >> number >> comma;
        return out;
    }

    Json first_camera() {
        start({"--frames", "3"});
        return finish()["settings"]["camera"];
    }

    // Drags with a button other than the left one, or with a key held.
    void drag_with(const std::string& button, const std::string& key) {
        display_->act({"mousemove", "600", "400"});
        settle();
        if (!key.empty()) display_->act({"keydown", key});
        display_->act({"mousedown", button});
        settle();
        for (const char* const x : {"640", "680", "720"}) {
            display_->act({"mousemove", x, "430"});
            settle();
        }
        display_->act({"mouseup", button});
        if (!key.empty()) display_->act({"keyup", key});
        settle();
    }
};

TEST_F(CameraWindowTest, RightAndShiftDragsPan) {
    const std::array<double, 6> still = numbers(first_camera());
    for (const auto& [button, key] : {std::pair{"3", ""}, {"1", "shift"}}) {
        SCOPED_TRACE(button);
        const std::string window = open();
        drag_with(button, key);
        const std::array<double, 6> now = numbers(quit(window)["settings"]["camera"]);
        double moved = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(now[i] - still[i], now[i + 3] - still[i + 3], 1e-3) << "eye and target go together";
            moved += std::abs(now[i] - still[i]);
        }
        EXPECT_GT(moved, 0.05);
    }
}

TEST_F(CameraWindowTest, ADoubleClickMakesThePointTheCentre) {
    const std::array<double, 6> still = numbers(first_camera());
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "470", "330"});
    settle();
    const auto doubly_clicked = [&] {
        display_->act({"click", "--repeat", "2", "--delay", "60", "1"});
        pause(2000);
        // The line that tells of it lies over the picture's upper edge.
        return colors_in(display_->screenshot(), 500, 25, 300, 40).size() > 3;
    };
    display_->click(window, 470, 330);  // the hint leaves
    settle();
    bool done = false;
    for (int attempt = 0; attempt < 4 && !done; ++attempt) done = doubly_clicked();
    EXPECT_TRUE(done) << "nothing is said of it";
    const std::array<double, 6> now = numbers(quit(window)["settings"]["camera"]);
    // The camera's target is as far ahead as that point of the unit sphere, but in the middle of the view.
    EXPECT_NEAR(std::sqrt(now[3] * now[3] + now[4] * now[4] + now[5] * now[5]), 1.0, 0.1) << "it is on the sphere";
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(now[i], still[i], 1e-3) << "the eye stays";
}

TEST_F(CameraWindowTest, TheWheelSetsTheSpeedInFirstPerson) {
    const std::string window = open();
    display_->act({"mousemove", "--window", window, "600", "300"});
    settle();
    display_->act({"key", "o"});
    settle();
    display_->act({"click", "--repeat", "3", "--delay", "200", "4"});
    settle();
    const Json json = quit(window);
    EXPECT_EQ(json["camera_mode"], "first person");
    EXPECT_GT(json["camera_speed_factor"].get<double>(), 1.5);
}

TEST_F(CameraWindowTest, ButtonsKeepAndRecallABookmark) {
    const Json slot = widgets_after("camera panel")["bookmark 3"];
    const std::string window = open();
    click_on(window, header_);
    click_on(window, slot);
    display_->drag(window, 600, 400, 760, 460);
    click_on(window, slot);
    arrive();
    EXPECT_EQ(quit(window)["settings"]["camera"], start_camera_);
}

// Their names have letters of three scripts, as have those of what is picked.
TEST_F(CameraWindowTest, TheFilesCamerasCanBeChosen) {
    Json gltf = sphere_gltf(24);
    const Json lens{{"type", "perspective"}, {"perspective", {{"yfov", 0.8}, {"znear", 0.01}}}};
    gltf["cameras"] = {lens, lens};
    gltf["cameras"][0]["name"] = "Ανατολή";
    gltf["cameras"][1]["name"] = "Вид сбоку";
    for (int i = 0; i < 2; ++i) {
        gltf["scenes"][0]["nodes"].push_back(gltf["nodes"].size());
        gltf["nodes"].push_back({{"camera", i}, {"translation", {0.3 * i, 0.0, 4.0 + i}}});
    }
    gltf["nodes"][0]["name"] = "Сфера";
    gltf["meshes"][0]["name"] = "Σφαίρα";
    gltf["materials"][0]["name"] = "Émail brûlé";
    write_text(folder_ / "named.gltf", gltf.dump());
    const Json combo = widgets_after("camera panel", "named.gltf")["file cameras"];
    ASSERT_FALSE(combo.is_null());
    EXPECT_EQ(numbers(start_camera_)[2], 4.0) << "the first";
    const std::string window = open({}, "named.gltf");
    click_on(window, header_);
    display_->click(window, static_cast<int>(combo[0].get<double>()) + 20, middle(combo).second);
    settle();
    // The second of the list, which opens below.
    display_->click(window, static_cast<int>(combo[0].get<double>()) + 20,
                    static_cast<int>(combo[1].get<double>() + combo[3].get<double>()) + 30);
    arrive();
    for (int attempt = 0; attempt < 3; ++attempt) display_->click(window, 560, 380);
    arrive();  // what a click picks comes frames later
    const Json json = quit(window);
    EXPECT_EQ(numbers(json["settings"]["camera"])[2], 5.0);
    ASSERT_FALSE(json["picked"].is_null());
    const std::string picked = json["picked"].dump();
    for (const char* const name : {"Сфера", "Σφαίρα", "Émail brûlé"}) {
        EXPECT_NE(picked.find(name), std::string::npos) << name << " is not in " << picked;
    }
}

TEST_F(CameraWindowTest, APathCanBeScrubbedAndLooped) {
    write_text(folder_ / "path.json", R"({"frames": 61, "keys": [
        {"frame": 0, "eye": [0, 0, 4], "target": [0, 0, 0]},
        {"frame": 60, "eye": [0, 0, 8], "target": [0, 0, 0]}]})");
    const auto drop_path = [&](const std::string& window) {
        ASSERT_TRUE(drop_file(display_->name(), window, (folder_ / "path.json").string()));
        pause(2500);  // it plays to its end
    };
    start({"--frames", "4"});
    const Json header = finish()["widgets"]["camera panel"];
    const std::string first = open();
    click_on(first, header);
    drop_path(first);
    const Json last = quit(first);
    EXPECT_EQ(numbers(last["settings"]["camera"])[2], 8.0);
    const Json slider = last["widgets"]["path time"];
    ASSERT_FALSE(slider.is_null());

    const std::string second = open();
    click_on(second, header);
    drop_path(second);
    click_on(second, slider);
    const double z = numbers(quit(second)["settings"]["camera"])[2];
    EXPECT_GT(z, 5.0);
    EXPECT_LT(z, 7.0);

    const std::string third = open();
    click_on(third, header);
    drop_path(third);
    display_->click(third, static_cast<int>(last["widgets"]["Loop"][0].get<double>()) + 8,
                    middle(last["widgets"]["Loop"]).second);
    click_on(third, last["widgets"]["Play"]);
    pause(2500);  // it would have ended
    const int before = red_pixels(display_->screenshot());
    EXPECT_TRUE(wait_until([&] { return std::abs(red_pixels(display_->screenshot()) - before) > 200; }))
        << "it still plays";
    quit(third);
}

TEST_F(CameraWindowTest, NumbersCanBeTypedAndPasted) {
    const Json field = widgets_after("group Camera in numbers")["camera"];
    ASSERT_FALSE(field.is_null());
    const auto into_field = [&](const std::string& window) {
        display_->click(window, static_cast<int>(field[0].get<double>()) + 20, middle(field).second);
        display_->act({"key", "ctrl+a"});
        settle();
    };
    std::string window = open();
    click_on(window, header_);
    display_->act({"mousemove", "--window", window, "600", "300"});
    display_->act({"key", "c"});
    settle();
    display_->drag(window, 600, 400, 760, 460);
    into_field(window);
    display_->act({"key", "ctrl+v"});
    settle();
    display_->act({"key", "Return"});
    arrive();
    EXPECT_EQ(quit(window)["settings"]["camera"], start_camera_);

    // From where nothing can be seen: refused at the field, and by V.
    window = open();
    click_on(window, header_);
    into_field(window);
    display_->act({"type", "--delay", "80", "1,2,3,1,2,3"});
    display_->act({"key", "Return"});
    settle();
    EXPECT_TRUE(viewer_->running());
    into_field(window);
    display_->act({"key", "ctrl+c"});
    settle();
    display_->act({"key", "Escape"});
    display_->click(window, 900, 650);
    EXPECT_TRUE(press_until("v", [&] { return shows_message(); })) << "the clipboard's is refused";
    EXPECT_TRUE(press_until("Escape", [&] { return !shows_message(); }));
    EXPECT_EQ(quit(window)["settings"]["camera"], start_camera_);
}

// So far out that floats can't tell the eye from its target once the camera turns.
TEST_F(CameraWindowTest, AMotionThatEndsNowhereIsTakenBack) {
    start({"--camera", "9e17,9e17,9e17,9e17,9e17,0"});
    const std::string window = window_ = display_->wait_for_window("Sublet");
    ASSERT_NE(window, "");
    settle();
    display_->drag(window, 600, 400, 700, 430);
    display_->act({"key", "w"});
    settle();
    EXPECT_TRUE(viewer_->running());
    quit(window);
}

}  // namespace
}  // namespace sublet::test
