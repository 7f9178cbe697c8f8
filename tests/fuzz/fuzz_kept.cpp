// The readers of JSON that is kept between runs, and that people edit, on any bytes: presets, the viewer's state, paths
// of cameras. What one lets through is written and read again as the same.
#include <cmath>
#include <cstdlib>
#include <string>

#include "app/camera_path.h"
#include "app/keep/preset.h"
#include "app/keep/viewer_state.h"
#include "base/error.h"

namespace {

using namespace sublet;

void require(bool condition) {
    if (!condition) std::abort();
}

void read_preset(const std::string& text) {
    render::Settings settings;
    app::parse_preset(text, "input", settings);
    const app::Json kept = app::changed_settings(settings);
    render::Settings again;
    for (const auto& [name, value] : kept.items()) app::set_from_json(again, name, value, "again");
    require(app::changed_settings(again) == kept);
}

void read_state(const std::string& text) {
    const std::string once = app::state_text(app::parse_state(text, "input"));
    require(app::state_text(app::parse_state(once, "again")) == once);
}

void read_path(const std::string& text) {
    const app::CameraPath path = app::parse_camera_path(text, "input");
    require(app::camera_path_text(app::parse_camera_path(app::camera_path_text(path), "again")) ==
            app::camera_path_text(path));
    for (const double part : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        const render::CameraPose pose = app::pose_at(path, part * path.frames);
        require(std::isfinite(pose.fov_degrees) && pose.fov_degrees > 0.0F && pose.fov_degrees < 180.0F);
    }
}

template <typename Reader>
void attempt(const Reader& reader, const std::string& text) {
    try {
        reader(text);
    } catch (const Error& error) {
        require(std::string(error.what()).starts_with("input"));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    attempt(read_preset, text);
    attempt(read_state, text);
    attempt(read_path, text);
    return 0;
}
