// What tests of what the viewer keeps and opens have in common.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "viewer_test.h"

namespace sublet::test {

inline std::string blue_sphere(const std::string& extension = {}) {
    Json gltf = sphere_gltf(20);
    gltf["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = Json::array({0.05, 0.1, 0.9, 1.0});
    if (!extension.empty()) gltf["extensionsUsed"] = {extension};
    return gltf.dump();
}

class KeptViewerTest : public WindowTest {
  protected:
    KeptViewerTest() { validates_ = false; }

    // As open(), with the pointer over the picture, so that keys come here.
    std::string open_and_point(const std::vector<std::string>& more = {}, const std::string& scene = "sphere.gltf") {
        std::string window = open(more, scene);
        point(window);
        return window;
    }
    void point(const std::string& window) const { display_->act({"mousemove", "--window", window, "600", "400"}); }

    [[nodiscard]] bool red() const { return red_pixels(display_->screenshot()) > 500; }
    [[nodiscard]] bool blue() const {
        const app::ColorImage screen = display_->screenshot();
        int count = 0;
        for (std::size_t i = 0; i < screen.rgba.size(); i += 4) {
            count += screen.rgba[i + 2] > 2 * screen.rgba[i] + 60 && screen.rgba[i + 1] < 90 ? 1 : 0;
        }
        return count > 5000 && red_pixels(screen) == 0;
    }

    // As the viewer has it now, to the last digit: C prints it. Waits until it rests.
    std::string camera() {
        std::string last;
        for (int i = 0; i < 20; ++i) {
            const std::size_t before = viewer_->out_so_far().size();
            press_until("c", [&] { return viewer_->out_so_far().size() > before; });
            std::string said = viewer_->out_so_far().substr(before);
            said.resize(std::min(said.find('\n'), said.size()));
            if (said == last) return said;
            last = said;
        }
        ADD_FAILURE() << "the camera does not come to rest";
        return last;
    }

    // What a part of the screen shows.
    [[nodiscard]] std::set<std::uint32_t> colors_of(const Json& rectangle) const {
        return colors_in(display_->screenshot(), static_cast<int>(rectangle[0].get<double>()),
                         static_cast<int>(rectangle[1].get<double>()), static_cast<int>(rectangle[2].get<double>()),
                         static_cast<int>(rectangle[3].get<double>()));
    }

    // Clicks until `done`.
    template <typename Condition>
    bool click_until(const std::string& window, const Json& rectangle, const Condition& done) {
        const auto [x, y] = middle(rectangle);
        for (int attempt = 0; attempt < 4; ++attempt) {
            display_->click(window, x, y);
            for (int i = 0; i < 15; ++i) {
                if (done()) return true;
                pause(200);
            }
        }
        return false;
    }

    // Unfolds the File menu, and waits until it is there.
    void open_file_menu(const std::string& window) {
        const Json under = Json::array({12, 30, 120, 60});
        const std::set<std::uint32_t> before = colors_of(under);
        EXPECT_TRUE(click_until(window, Json::array({8, 2, 30, 16}), [&] { return colors_of(under) != before; }));
    }

    // Where the entries of the File menu are. A run of its own tells.
    const Json& file_menu() {
        static Json widgets;
        if (widgets.is_null()) {
            const std::string window = open();
            open_file_menu(window);
            display_->act({"key", "ctrl+q"});
            widgets = finish()["widgets"];
        }
        return widgets;
    }

    // Chooses an entry of the File menu, until `done`.
    template <typename Condition>
    bool choose_until(const std::string& window, const std::string& entry, const Condition& done) {
        const Json rectangle = file_menu()[entry];
        open_file_menu(window);
        const auto [x, y] = middle(rectangle);
        display_->click(window, x, y);
        point(window);
        return wait_until(done);
    }

    // A program of this name, before all others in the viewer's PATH.
    void install(const std::string& name, const std::string& script) {
        write_text(folder_ / "bin" / name, "#!/bin/sh\n" + script);
        std::filesystem::permissions(folder_ / "bin" / name, std::filesystem::perms::owner_all);
        environment_.push_back("PATH=" + (folder_ / "bin").string() + ":" + std::getenv("PATH"));
    }
};

}  // namespace sublet::test
