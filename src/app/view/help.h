// Every key and mouse action, over the picture.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/view/ui.h"

namespace sublet::app {

enum class KeyGroup : std::uint8_t { kCamera, kLooking, kProgram };

// A key that is pressed once and asks for something: what the viewer does by it, what its help says, and what menus
// show beside their entries.
struct KeyBinding {
    ImGuiKey key = ImGuiKey_None;
    bool control = false;
    Command command{};
    KeyGroup group{};
    std::string_view name;    // "Ctrl+O"
    std::string_view action;  // what it does, for the help
    bool always = false;      // without a scene too
};
[[nodiscard]] std::span<const KeyBinding> key_bindings();
// The name of the key for a command, for a menu. Null where there is none.
[[nodiscard]] const char* key_of(Command command);

struct KeyHelp {
    std::string_view keys;
    std::string_view action;
};
struct KeyHelpGroup {
    std::string_view title;
    std::span<const KeyHelp> keys;
};
[[nodiscard]] std::span<const KeyHelpGroup> key_help();

// That chooses the view at this place of its setting's list: "1" to "9", "0", then the same as "Shift+1" and so on.
// Empty: there is none.
[[nodiscard]] std::string view_key(std::size_t place);

// In the middle of the picture, as large as it needs and the window allows. `open` becomes false when it is closed.
void draw_help(bool& open);

}  // namespace sublet::app
