// How the camera moves, where it can go, and its path.
#pragma once

#include <vector>

#include "app/view/command.h"
#include "app/view/viewer_camera.h"
#include "app/view/widgets.h"

namespace sublet::app {

// Within a window. Adds what the user asks for.
void draw_camera_panel(const ViewerCamera& camera, CameraRequest& request, std::vector<Command>& commands,
                       WidgetMap& widgets);

}  // namespace sublet::app
