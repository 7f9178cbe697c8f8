// A camera that moves the same way in every run: keys at frames, interpolated between.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/output.h"
#include "render/settings/settings.h"

namespace sublet::app {

// A path knows frames alone: `bench` draws one as fast as it can. Where it takes time, it has so many in a second.
inline constexpr double kPathFramesPerSecond = 60.0;
inline constexpr std::uint32_t kMostPathFrames = 1'000'000;

// Help of --camera-path: what the file holds.
inline constexpr const char* kCameraPathHelp =
    "It is JSON, of which the last three keys may be left out (more in docs/USING.md):\n"
    "{\"frames\": 120, \"keys\": [{\"frame\": 0, \"eye\": [x, y, z], \"target\": [x, y, z],\n"
    "                           \"fov\": 45, \"roll\": 0, \"cut\": false}, ...]}\n"
    "The camera moves on smooth curves; at a cut it jumps. In the viewer K records a path.";

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

// The JSON that parse_camera_path reads as the same path, to the bit; and a file of it, whole or not at all.
[[nodiscard]] std::string camera_path_text(const CameraPath& path);
void write_camera_path(const std::filesystem::path& file, const CameraPath& path);

// A pose as a path's keys have it: "eye", "target", "fov", and a "roll" where there is one. Reading it throws Error
// naming the field: `name` is the file, `at` the object in it.
[[nodiscard]] Json pose_json(const render::CameraPose& pose);
[[nodiscard]] render::CameraPose parse_pose(const Json& json, const std::string& name, const std::string& at);

// The pose at a frame: eye, target, fov and roll each run through the keys' values on a cubic Hermite curve with
// Catmull-Rom tangents (one-sided at the ends and at cuts); before the first key and after the last the camera rests.
// A roll runs as the number it is: from 350 to 370 it turns by 20 degrees, from 350 to 10 almost once round.
[[nodiscard]] render::CameraPose pose_at(const CameraPath& path, double frame);

// Frames along a path go on while geometry comes, unless somebody asks for them to wait.
inline void go_on_along_path(render::SceneSettings& settings) {
    if (!settings.stream_wait) settings.stream_wait = false;
}

}  // namespace sublet::app
