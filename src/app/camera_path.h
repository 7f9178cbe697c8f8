// A camera that moves the same way in every run: keys at frames, interpolated between.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "render/settings/settings.h"

namespace sublet::app {

struct CameraKey {
    double frame = 0;
    render::CameraPose pose;
    bool cut = false;  // the camera jumps here: nothing is interpolated from the key before
};

struct CameraPath {
    std::uint32_t frames = 0;     // 1 or more
    std::vector<CameraKey> keys;  // 1 or more, ascending by frame
};

// Reads {"frames": N, "keys": [{"frame", "eye", "target", "fov", "roll", "cut"}]}; fov (45), roll (0) and cut (false)
// may be left out.
// Throws Error naming the file and the field.
[[nodiscard]] CameraPath read_camera_path(const std::filesystem::path& file);
// The same from JSON text; `name` is blamed in errors.
[[nodiscard]] CameraPath parse_camera_path(const std::string& text, const std::string& name);

// The pose at a frame: eye, target, fov and roll each run through the keys' values on a cubic Hermite curve with
// Catmull-Rom tangents (one-sided at the ends and at cuts); before the first key and after the last the camera rests.
// A roll runs as the number it is: from 350 to 370 it turns by 20 degrees, from 350 to 10 almost once round.
[[nodiscard]] render::CameraPose pose_at(const CameraPath& path, double frame);

}  // namespace sublet::app
