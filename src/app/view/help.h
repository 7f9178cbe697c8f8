// Every key and mouse action, over the picture.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>
#include <string>
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

// That chooses the view at this place of its setting's list: "1" to "9", "0", then the same as "Shift+1" and so on.
// Empty: there is none.
[[nodiscard]] std::string view_key(std::size_t place);

// In the middle of the picture, as large as it needs and the window allows. `open` becomes false when it is closed.
void draw_help(bool& open);

}  // namespace sublet::app
