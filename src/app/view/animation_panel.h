// Which animation plays, and where it is.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "app/view/animation_player.h"
#include "app/view/widgets.h"

namespace sublet::app {

struct AnimationModel {
    std::span<const std::string> names;  // of the scene's animations, by their numbers; empty: it has none
    std::string_view chosen;             // the setting
    double time = 0, speed = 1;
    const AnimationPlayer* player = nullptr;
};

// What a user asks for by a widget.
struct AnimationRequest {
    std::optional<std::string> choose = {};  // a value of the setting
    bool toggle = false;                     // plays or pauses
    int step = 0;                            // so many frames, which are 60 a second
    std::optional<bool> loop = {};
    std::optional<double> time = {}, speed = {};
};

// Within a window.
[[nodiscard]] AnimationRequest draw_animation_panel(const AnimationModel& model, WidgetMap& widgets);

}  // namespace sublet::app
