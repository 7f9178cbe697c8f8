#include "app/keep/viewer_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

#include "app/camera_path.h"
#include "app/keep/json_file.h"
#include "app/keep/preset.h"
#include "app/keep/user_folders.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file_lock.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

namespace fs = std::filesystem;

constexpr int kStateVersion = 1;
constexpr std::size_t kMostScenes = 200;
constexpr std::size_t kMostRecent = 10;
constexpr std::uint32_t kMostPixels = 65536;

// --- To JSON

Json scene_json(const SceneState& scene) {
    Json json{{"used", scene.used_us}};
    if (scene.camera) json["camera"] = pose_json(*scene.camera);
    if (scene.projection) {
        json["projection"] = *scene.projection == render::Projection::kOrthographic ? "orthographic" : "perspective";
    }
    if (scene.near_plane) json["near"] = *scene.near_plane;
    json["mode"] = scene.mode == CameraMode::kFirstPerson ? "first person" : "orbit";
    json.update(Json::parse(scene.bookmarks.text()));
    if (!scene.file_scene.empty()) json["scene"] = scene.file_scene;
    if (!scene.settings.empty()) json["settings"] = scene.settings;
    return json;
}

bool is_utf8(const std::string& text) {
    try {
        static_cast<void>(Json(text).dump());
        return true;
    } catch (const Json::exception&) {
        return false;
    }
}

// --- From JSON. Each throws Error naming the file and the field.

const Json* member(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::int64_t whole_number(const Json& json, std::int64_t least, std::int64_t most, const std::string& name,
                          const std::string& field) {
    // A number beyond 64 bits is a floating-point one to the parser, and an unsigned one may be beyond the signed ones.
    const bool whole =
        json.is_number_integer() && (!json.is_number_unsigned() || json.get<std::uint64_t>() <= INT64_MAX);
    if (!whole || json.get<std::int64_t>() < least || json.get<std::int64_t>() > most) {
        throw Error(name, field,
                    "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return json.get<std::int64_t>();
}

// One of two words.
bool is_second(const Json& json, const char* first, const char* second, const std::string& name,
               const std::string& field) {
    if (json != first && json != second) {
        throw Error(name, field, std::string("is neither \"") + first + "\" nor \"" + second + "\"");
    }
    return json == second;
}

SceneState parse_scene(const Json& json, const std::string& name, const std::string& at) {
    if (!json.is_object()) throw Error(name, at, "is not an object");
    SceneState scene;
    if (const Json* used = member(json, "used"))
        scene.used_us = whole_number(*used, 0, INT64_MAX / 2, name, at + ".used");
    if (const Json* camera = member(json, "camera")) scene.camera = parse_pose(*camera, name, at + ".camera");
    if (const Json* projection = member(json, "projection")) {
        scene.projection = is_second(*projection, "perspective", "orthographic", name, at + ".projection")
                               ? render::Projection::kOrthographic
                               : render::Projection::kPerspective;
    }
    if (const Json* near = member(json, "near")) {
        const float distance = near->is_number() ? near->get<float>() : 0.0F;
        if (!(distance > 0.0F) || !std::isfinite(distance)) throw Error(name, at + ".near", "is no distance above 0");
        scene.near_plane = distance;
    }
    if (const Json* mode = member(json, "mode")) {
        if (is_second(*mode, "orbit", "first person", name, at + ".mode")) scene.mode = CameraMode::kFirstPerson;
    }
    if (const Json* bookmarks = member(json, "bookmarks")) {
        scene.bookmarks = Bookmarks::parse(Json{{"bookmarks", *bookmarks}}.dump(), name + ": " + at);
    }
    if (const Json* of_file = member(json, "scene")) {
        if (!of_file->is_string()) throw Error(name, at + ".scene", "is not a text");
        scene.file_scene = of_file->get<std::string>();
    }
    if (const Json* settings = member(json, "settings")) {
        if (!settings->is_object()) throw Error(name, at + ".settings", "is not an object");
        for (const auto& [setting, value] : settings->items()) {
            if (value.is_string()) scene.settings[setting] = value.get<std::string>();
        }
    }
    return scene;
}

void parse_window(const Json& json, ViewerState& state, const std::string& name) {
    if (!json.is_object()) throw Error(name, "window", "is not an object");
    const auto side = [&](const char* key, std::uint32_t usual) {
        const Json* const value = member(json, key);
        return value == nullptr ? usual
                                : static_cast<std::uint32_t>(
                                      whole_number(*value, 1, kMostPixels, name, std::string("window.") + key));
    };
    state.window = {side("width", state.window.x), side("height", state.window.y)};
    if (const Json* maximized = member(json, "maximized")) {
        if (!maximized->is_boolean()) throw Error(name, "window.maximized", "is neither true nor false");
        state.maximized = maximized->get<bool>();
    }
    if (const Json* position = member(json, "position")) {
        if (!position->is_array() || position->size() != 2) throw Error(name, "window.position", "must be [x, y]");
        constexpr std::int64_t kMost = kMostPixels;
        const auto at = [&](std::size_t i) {
            return static_cast<int>(whole_number((*position)[i], -kMost, kMost, name, "window.position"));
        };
        state.position = {at(0), at(1)};
    }
}

void parse_settings(const Json& json, ViewerState& state, const std::string& name) {
    if (!json.is_object()) throw Error(name, "settings", "is not an object");
    for (const auto& [setting, value] : json.items()) {
        try {
            set_from_json(state.settings, setting, value, name);
        } catch (const Error&) {  // of another version of the program: one setting less is no loss
        }
    }
    forget_scene(state.settings);
}

// --- Files

// Two viewers that end at once write one after the other. Where there is no lock, the worst is that the last one wins.
FileLock lock_of(const fs::path& file) {
    fs::path lock = file;
    lock += ".lock";
    return FileLock(lock);
}

// Returns what became of it.
std::string put_aside(const fs::path& file, const std::string& why) {
    fs::path aside = file;
    aside += ".damaged";
    for (int i = 2; path_exists(aside); ++i) {
        aside = file;
        aside += ".damaged-" + std::to_string(i);
    }
    const int error = replace_file(file, aside);
    return why +
           (error != 0 ? "; it can't be renamed either: " + system_message(error) : "; it is now " + path_text(aside));
}

LoadedState load_locked(const fs::path& file) {
    if (file.empty() || !path_exists(file)) return {};
    try {
        return {parse_state(read_kept_file(file), path_text(file)), {}};
    } catch (const NewerVersion& newer) {
        return {{}, newer.what() + std::string("; this run neither uses nor changes it"), true};
    } catch (const std::exception& wrong) {
        return {{}, put_aside(file, wrong.what())};
    }
}

// Of a scene that both know, the state that was used last; of all, those that were used last.
void merge(std::map<std::string, SceneState>& scenes, std::map<std::string, SceneState>&& others) {
    for (auto& [path, other] : others) {
        const auto [known, fresh] = scenes.try_emplace(path, other);
        if (!fresh && other.used_us > known->second.used_us) known->second = std::move(other);
    }
    while (scenes.size() > kMostScenes) {
        scenes.erase(std::ranges::min_element(scenes, {}, [](const auto& scene) { return scene.second.used_us; }));
    }
}

}  // namespace

fs::path state_file() {
    const fs::path folder = user_state_folder();
    return folder.empty() ? folder : folder / "state.json";
}

SceneState scene_left(const ViewerState& state, const fs::path& scene) {
    if (scene.empty()) return {};
    const auto found = state.scenes.find(path_text(absolute_path(scene).lexically_normal()));
    return found == state.scenes.end() ? SceneState{} : found->second;
}

SceneState& use_scene(ViewerState& state, const fs::path& scene) {
    SceneState& used = state.scenes[path_text(absolute_path(scene).lexically_normal())];
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    // Later than all others, even where the clock was set back.
    for (const auto& [path, other] : state.scenes) used.used_us = std::max(used.used_us, other.used_us + 1);
    used.used_us =
        std::max<std::int64_t>(used.used_us, std::chrono::duration_cast<std::chrono::microseconds>(now).count());
    return used;
}

std::vector<std::string> recent_scenes(const ViewerState& state) {
    std::vector<std::pair<std::int64_t, std::string>> used;
    for (const auto& [path, scene] : state.scenes) used.emplace_back(-scene.used_us, path);
    std::ranges::sort(used);
    if (used.size() > kMostRecent) used.resize(kMostRecent);
    std::vector<std::string> paths;
    for (auto& [time, path] : used) paths.push_back(std::move(path));
    return paths;
}

std::string state_text(const ViewerState& state) {
    Json window{{"width", state.window.x}, {"height", state.window.y}, {"maximized", state.maximized}};
    if (state.position) window["position"] = {state.position->x, state.position->y};
    Json scenes = Json::object();
    for (const auto& [path, scene] : state.scenes) {
        if (is_utf8(path)) scenes[path] = scene_json(scene);  // JSON has no other names
    }
    const Json json{{"version", kStateVersion},
                    {"window", std::move(window)},
                    {"panels", state.panels},
                    {"settings", changed_settings(state.settings)},
                    {"scenes", std::move(scenes)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ViewerState parse_state(const std::string& text, const std::string& name) {
    const Json json = parse_json_object(text, name);
    check_version(json, "version", kStateVersion, name);
    ViewerState state;
    if (const Json* window = member(json, "window")) parse_window(*window, state, name);
    if (const Json* panels = member(json, "panels")) {
        if (!panels->is_object()) throw Error(name, "panels", "is not an object");
        state.panels = *panels;
    }
    if (const Json* settings = member(json, "settings")) parse_settings(*settings, state, name);
    if (const Json* scenes = member(json, "scenes")) {
        if (!scenes->is_object()) throw Error(name, "scenes", "is not an object");
        for (const auto& [path, scene] : scenes->items()) {
            state.scenes[path] = parse_scene(scene, name, "scenes[\"" + path.substr(0, 200) + "\"]");
        }
    }
    return state;
}

LoadedState load_state(const fs::path& file) {
    if (file.empty() || !path_exists(file)) return {};
    const FileLock lock = lock_of(file);
    return load_locked(file);
}

std::string save_state(const fs::path& file, const ViewerState& state) {
    if (file.empty()) return "what the viewer remembers can't be kept: the user has no home folder";
    try {
        if (const int error = create_folders(file.parent_path()); error != 0) {
            throw_system(file.parent_path(), "cannot make the folder", error);
        }
        const FileLock lock = lock_of(file);
        LoadedState written = load_locked(file);
        if (written.newer) return written.note;
        ViewerState merged = state;
        merge(merged.scenes, std::move(written.state.scenes));
        const std::string text = state_text(merged);
        static_cast<void>(parse_state(text, path_text(file)));  // what can't be read again would be lost with all else
        write_file(file, text);
        return written.note;
    } catch (const std::exception& error) {
        return std::string("what the viewer remembers can't be kept: ") + error.what();
    }
}

}  // namespace sublet::app
