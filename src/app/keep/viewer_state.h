// What the viewer remembers from one run to the next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/keep/kept_settings.h"
#include "app/output.h"
#include "app/view/bookmarks.h"
#include "app/view/camera_control.h"
#include "render/settings/settings.h"

namespace sublet::app {

// How a scene was left.
struct SceneState {
    std::int64_t used_us = 0;  // since 1970; 0: never
    std::optional<render::CameraPose> camera;
    std::optional<render::Projection> projection;
    std::optional<float> near_plane;
    CameraMode mode = CameraMode::kOrbit;
    Bookmarks bookmarks;
    std::string file_scene = {};  // of several in the file: scene::FileScenes::choice()
    SettingTexts settings;        // scene_texts()

    bool operator==(const SceneState&) const = default;
};

struct ViewerState {
    glm::uvec2 window{1600, 900};  // pixels
    bool maximized = false;
    std::optional<glm::ivec2> position;        // of the window on the screen
    Json panels = Json::object();              // the panels' own
    render::Settings settings;                 // as a preset keeps them; those of one scene are kept with it
    std::map<std::string, SceneState> scenes;  // by the absolute path of their file
};

// $XDG_STATE_HOME/sublet/state.json, or ~/.local/state/sublet/state.json. Empty when the user has no place for it.
[[nodiscard]] std::filesystem::path state_file();

// The state of that scene, which from now on is the one that was used last; made where there is none. To be called
// before each change of it: where two viewers know a scene, the one that used it last is believed.
SceneState& use_scene(ViewerState& state, const std::filesystem::path& scene);
// How that scene was left; nothing where it never was, or is the built-in one.
[[nodiscard]] SceneState scene_left(const ViewerState& state, const std::filesystem::path& scene);
// The paths of the scenes that were used last, the newest first: ten at most.
[[nodiscard]] std::vector<std::string> recent_scenes(const ViewerState& state);

struct LoadedState {
    ViewerState state;
    std::string note;    // what was wrong with the file; empty when nothing was
    bool newer = false;  // the file is of a newer program: it stays as it is, and nothing is to be saved to it
};

// Where there is no file, a new state; the same where it is of a newer program. One that can't be read is renamed to
// "state.json.damaged" (or "….damaged-2", and so on), which the note tells. Settings that there are no more are left
// out. Throws nothing.
[[nodiscard]] LoadedState load_state(const std::filesystem::path& file);
// Writes it whole or not at all, with the scenes that other viewers have written since; the 200 that were used last are
// kept. A file of a newer program is left alone. Returns what went wrong, or an empty text. Throws nothing.
[[nodiscard]] std::string save_state(const std::filesystem::path& file, const ViewerState& state);

// The file's text, and back; `name` is blamed in errors. Reading throws Error.
[[nodiscard]] std::string state_text(const ViewerState& state);
[[nodiscard]] ViewerState parse_state(const std::string& text, const std::string& name);

}  // namespace sublet::app
