// A menu of what a file has several of: variants, animations, cameras.
#pragma once

#include "app/view/ui.h"

namespace sublet::app {

// Within the menu bar.
void draw_scene_menu(const UiModel& model, render::Settings& settings, UiEvents& events, WidgetMap& widgets);

}  // namespace sublet::app
