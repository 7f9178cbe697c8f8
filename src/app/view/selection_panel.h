// What is known of what was picked, and steps to its neighbours.
#pragma once

#include <optional>

#include "app/pick_report.h"
#include "app/view/widgets.h"
#include "render/view/inspection.h"

namespace sublet::app {

// Within a window. Returns what is to be selected instead, where the user stepped on.
[[nodiscard]] std::optional<render::Selection> draw_selection(const PickReport& report, WidgetMap& widgets);

// The next (`step` 1) or the one before (-1) of a level, from the last to the first and back: triangles of their
// sublet, sublets and meshlets of their mesh, instances of the scene. The selection comes to that level.
[[nodiscard]] render::Selection stepped(const PickReport& report, render::SelectionLevel level, int step);

}  // namespace sublet::app
