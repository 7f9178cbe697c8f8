// What the viewer's panels have in common: rows, tooltips, and a record of where widgets lie.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/output.h"

namespace sublet::app {

// Of a window that stays where it is.
inline constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoTitleBar |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

// Where widgets were drawn last, in pixels, for scripts that click on them.
class WidgetMap {
  public:
    // The widget drawn before, under a name; with a tooltip, where there is one.
    void note(std::string_view name, std::string_view help = {});
    // Between frames: what is not drawn again is not there.
    void clear();
    // {"cull-cone": [x, y, width, height]}
    [[nodiscard]] Json json() const;

  private:
    struct Widget {
        std::string name;
        std::array<float, 4> rectangle{};
    };
    std::vector<Widget> widgets_;  // in the order in which they are drawn, which is as a rule that of the frame before
    std::size_t count_ = 0;        // of this frame
};

// How wide a field is that stands before its label, in pixels.
[[nodiscard]] float field_width();

void text(std::string_view line);
// Smaller in importance: what explains.
void dim_text(std::string_view line);
// Wrapped at the panel's edge.
void wrapped_text(std::string_view line);
void wrapped_dim_text(std::string_view line);
// Of the widget before, after a moment of hovering; also where it is disabled.
void tooltip(std::string_view words);

// A button of that name. Whether it is pressed.
[[nodiscard]] bool button(const char* label, std::string_view name, std::string_view help, WidgetMap& widgets);

// The side's inner edge, which can be dragged. `direction`: 1 where a drag to the right widens it. `width` in font
// sizes.
void splitter(const char* name, float x, float top, float height, float direction, float& width);

// Of a table of two columns: a name, and its value at the right edge; `help` is both's tooltip, if there is one.
void row(std::string_view name, std::string_view value, std::string_view help = {});

// Of lesser importance.
void dim_row(std::string_view name, std::string_view value);

}  // namespace sublet::app
