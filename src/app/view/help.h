// Every key and mouse action, over the picture.
#pragma once

#include <imgui.h>

#include <span>
#include <string_view>

namespace sublet::app {

struct KeyHelp {
    std::string_view keys;
    std::string_view action;
};
struct KeyHelpGroup {
    std::string_view title;
    std::span<const KeyHelp> keys;
};
[[nodiscard]] std::span<const KeyHelpGroup> key_help();

// In the middle of the picture, as large as it needs and the window allows. `open` becomes false when it is closed.
void draw_help(bool& open);

}  // namespace sublet::app
