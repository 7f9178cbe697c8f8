// Which animations play, and where each of them is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "app/view/widgets.h"

namespace sublet::app {

class SceneAnimations;

// What a user asks for by a widget.
struct AnimationRequest {
    struct Choice {
        std::optional<std::size_t> animation;  // nothing: all
        bool plays = false;
        bool alone = false;  // and no other one does
    };
    std::optional<Choice> choose = {};
    std::optional<std::optional<std::size_t>> select = {};
    // Of what is selected.
    bool toggle = false;  // plays or pauses
    int step = 0;         // so many frames, which are 60 a second
    std::optional<bool> loop = {};
    std::optional<double> time = {}, speed = {};
    bool held = false;  // its time line: it goes on when that is let go
};

// The numbers of those that the setting names then; `chosen`: of each, whether it names it now.
[[nodiscard]] std::vector<std::size_t> chosen_after(const AnimationRequest::Choice& choice,
                                                    std::span<const char> chosen);

// The row that is marked: of what is selected; else of all, or of the one, where just these play. The inner nothing is
// the row of all, the outer one: none.
[[nodiscard]] std::optional<std::optional<std::size_t>> marked_row(std::span<const char> chosen,
                                                                   std::optional<std::size_t> selected);

// Within a window.
[[nodiscard]] AnimationRequest draw_animation_panel(const SceneAnimations& animations, WidgetMap& widgets);

}  // namespace sublet::app
