#include "app/view/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "render/settings/settings.h"
#include "temporary_folder.h"

namespace sublet::app {
namespace {

TEST(Help, NamesEachViewBesideItsKey) {
    const auto& views = render::find_setting("view")->choices;
    ASSERT_GT(views.size(), 20U) << "the last has no key";
    std::string plain, shifted;
    for (const KeyHelpGroup& group : key_help()) {
        for (const KeyHelp& key : group.keys) {
            if (key.keys == "1 … 9, 0") plain = key.action;
            if (key.keys == "Shift+1 … 9, 0") shifted = key.action;
        }
    }
    EXPECT_TRUE(plain.starts_with("shaded, meshlets, ")) << plain;
    EXPECT_TRUE(plain.ends_with(", hiz")) << plain;
    EXPECT_TRUE(shifted.starts_with("phase, ")) << shifted;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::string& row = i < 10 ? plain : shifted;
        EXPECT_EQ((", " + row + ",").find(", " + std::string(views[i]) + ",") != std::string::npos, i < 20) << views[i];
    }
}

TEST(Help, TwentyViewsHaveKeys) {
    EXPECT_EQ(view_key(0), "1");
    EXPECT_EQ(view_key(8), "9");
    EXPECT_EQ(view_key(9), "0");
    EXPECT_EQ(view_key(10), "Shift+1");
    EXPECT_EQ(view_key(19), "Shift+0");
    EXPECT_EQ(view_key(20), "");
    std::set<std::string> keys;
    for (std::size_t i = 0; i < 20; ++i) keys.insert(view_key(i));
    EXPECT_EQ(keys.size(), 20U);
}

std::string all_help() {
    std::string out;
    for (const KeyHelpGroup& group : key_help()) {
        for (const KeyHelp& key : group.keys) out += " " + std::string(key.keys) + " ";
    }
    std::replace(out.begin(), out.end(), ',', ' ');
    return out;
}

TEST(Help, NamesEveryKeyThatIsBound) {
    const std::string help = all_help();
    std::set<std::pair<ImGuiKey, bool>> keys;
    std::set<Command> commands;
    for (const KeyBinding& binding : key_bindings()) {
        EXPECT_NE(help.find(" " + std::string(binding.name) + " "), std::string::npos) << binding.name;
        EXPECT_TRUE(keys.emplace(binding.key, binding.control).second) << binding.name << " is bound twice";
        EXPECT_TRUE(commands.insert(binding.command).second) << binding.name;
        EXPECT_EQ(binding.name.starts_with("Ctrl+"), binding.control) << binding.name;
        EXPECT_STREQ(key_of(binding.command), binding.name.data());
    }
    for (const Command command : {Command::kFront, Command::kRight, Command::kTop}) EXPECT_NE(key_of(command), nullptr);
    EXPECT_EQ(key_of(Command::kExportCsv), nullptr);
}

// The keys that are no bindings: those that the viewer's own code asks for.
TEST(Help, NamesEveryKeyThatTheViewerAsksFor) {
    const std::map<std::string, std::string> words{
        {"RightArrow", "arrows"},
        {"LeftArrow", "arrows"},
        {"UpArrow", "arrows"},
        {"DownArrow", "arrows"},
        {"PageUp", "Page Up"},
        {"PageDown", "Page Down"},
        {"0", "0"},
        {"Keypad1", "numpad 1"},
        {"Keypad3", "3"},
        {"Keypad7", "7"},
    };
    const std::string help = all_help();
    const std::filesystem::path folder = std::filesystem::path(std::getenv("SUBLET_SOURCE_DIR")) / "src/app/view";
    std::set<std::string> seen;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().stem() == "help" || file.path().stem() == "imgui_layer") continue;
        const std::string source = test::read_text(file.path());
        const std::regex key("ImGuiKey_([A-Za-z0-9]+)");
        for (std::sregex_iterator at(source.begin(), source.end(), key), end; at != end; ++at) seen.insert((*at)[1]);
    }
    EXPECT_GT(seen.size(), 10U);
    for (const std::string& name : seen) {
        const auto word = words.find(name);
        const std::string text = " " + (word == words.end() ? name : word->second) + " ";
        EXPECT_NE(help.find(text), std::string::npos) << name << " is not in the help";
    }
}

TEST(Help, SaysSomethingOfEachKey) {
    for (const KeyHelpGroup& group : key_help()) {
        EXPECT_FALSE(group.title.empty());
        for (const KeyHelp& key : group.keys) {
            EXPECT_FALSE(key.keys.empty());
            EXPECT_FALSE(key.action.empty()) << key.keys;
        }
    }
}

}  // namespace
}  // namespace sublet::app
