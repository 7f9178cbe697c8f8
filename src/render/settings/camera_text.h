// A camera as text: what the viewer copies, what it takes back, and what --camera takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "render/settings/settings.h"

namespace sublet::render {

// "ex,ey,ez,tx,ty,tz,fov", and a roll where there is one.
[[nodiscard]] std::string camera_text(const CameraPose& pose);

// "--camera …", with "--near …" and "--projection …" where those are set: what shows the same on a command line.
[[nodiscard]] std::string camera_arguments(const Settings& settings);

// Why nothing can be seen from a pose; nothing where something can. Eye and target must be apart, the field of view
// between 0 and 180 degrees, and all of it within what distances can be computed of.
[[nodiscard]] std::optional<std::string> pose_fault(const CameraPose& pose);

// Sets the camera that `text` names: numbers as camera_text writes them, or arguments as camera_arguments does, with
// whatever quotes and spaces came along. An empty text is the default camera. Throws Error, one sentence, and changes
// nothing then.
void set_camera_text(Settings& settings, std::string_view text);

}  // namespace sublet::render
