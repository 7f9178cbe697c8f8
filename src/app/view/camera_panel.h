// How the camera moves, where it can go, and its path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/view/bookmarks.h"
#include "app/view/camera_rules.h"
#include "app/view/command.h"
#include "app/view/path_player.h"
#include "app/view/widgets.h"
#include "render/view/camera.h"

namespace sublet::app {

struct CameraModel {
    bool flying = false;
    float speed = 0;  // units a second
    float speed_factor = 1;
    const Bookmarks* bookmarks = nullptr;
    std::span<const render::SceneCamera> cameras;  // of the file
    std::optional<std::size_t> chosen;             // node of the one that shows the picture, until the user moves it,
    bool followed = false;                         // and it moves
    const PathPlayer* player = nullptr;
    bool recording = false;
    double recorded_seconds = 0;
};

// What a user asks for of the camera that is no command.
struct CameraRequest {
    int keep = 0, recall = 0;  // slots of bookmarks; 0: none
    std::optional<std::size_t> file_camera = {};
    std::optional<AxisView> axis = {};
    int next_axis = 0;  // front, right side and top in turn; -1: backwards
    std::optional<bool> loop = {};
    std::optional<double> scrub = {};  // seconds

    bool operator==(const CameraRequest&) const = default;
};

// Within a window. Adds what the user asks for.
void draw_camera_panel(const CameraModel& model, CameraRequest& request, std::vector<Command>& commands,
                       WidgetMap& widgets);

}  // namespace sublet::app
