// sublet view: a window on a scene.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command_model.h"
#include "app/commands.h"
#include "app/file_options.h"
#include "app/keep/load_options.h"
#include "app/keep/picture_command.h"
#include "app/keep/preset.h"
#include "app/output.h"
#include "app/plain_options.h"
#include "app/session.h"
#include "app/setting_options.h"
#include "app/view/scene_files.h"
#include "app/view/viewer.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/mapped_file.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

constexpr double kEndSeconds = 1.0;  // that quitting waits for files at most

struct ViewArguments {
    std::filesystem::path scene, camera_path, json;
    bool fresh = false, size_given = false, preset_given = false;
    ViewerOptions viewer;
};

// What was left the last time, where the command line does not say otherwise. A run that ends by itself is a script's:
// it neither takes nor leaves anything.
void restore(const ViewArguments& options, ViewerOptions& wanted) {
    wanted.typed = wanted.written;
    // A preset's, and what goes with one that was written.
    for (const render::Setting& setting : render::settings_table()) {
        if (setting.get(wanted.settings) != setting.get({})) wanted.typed.push_back(&setting);
    }
    if (options.fresh || wanted.frames != 0) return;
    wanted.state_file = state_file();
    LoadedState loaded = load_state(wanted.state_file);
    if (!loaded.note.empty()) note(loaded.note);
    if (loaded.newer) wanted.state_file.clear();
    wanted.state = std::move(loaded.state);
    if (!options.size_given) wanted.size = {wanted.state.window.x, wanted.state.window.y};
    wanted.restore_camera = true;
    const auto written = [&](const char* name) {
        return std::any_of(options.viewer.written.begin(), options.viewer.written.end(),
                           [&](const render::Setting* setting) { return setting->name == name; });
    };
    for (const char* name : {"camera", "near", "projection"}) {
        if (written(name)) wanted.restore_camera = false;
    }
    if (options.preset_given) {
        const render::FrameSettings& preset = wanted.settings.frame;
        if (preset.camera || preset.near_plane || preset.projection) wanted.restore_camera = false;
        return;
    }
    render::Settings settings = wanted.state.settings;
    settings.device = wanted.settings.device;
    for (const render::Setting* setting : wanted.typed) setting->set(settings, setting->get(wanted.settings));
    wanted.settings = settings;
}

// A file that can be read, or the one in a folder: an Error needs no window.
std::filesystem::path scene_file(const std::filesystem::path& scene) {
    require_scene_there(scene);
    std::filesystem::path file = scene;
    if (is_folder(scene)) {
        const std::vector<std::filesystem::path> found = scenes_in(scene);
        if (found.size() != 1) {
            throw Error(path_text(scene), "",
                        found.empty()
                            ? "this is a folder without a .gltf, .glb or .sublet file"
                            : "this is a folder with " + std::to_string(found.size()) + " scenes: name one, " +
                                  path_text(found.front().filename()) + " for example");
        }
        file = found.front();
    }
    const MappedFile readable(file);
    return file;
}

int view(const ViewArguments& options) {
    const Output out(options.json, {{"SCENE", options.scene}, {"--camera-path", options.camera_path}});
    ViewerOptions wanted = options.viewer;
    if (!options.scene.empty()) wanted.scene = scene_file(options.scene);
    restore(options, wanted);
    if (!options.camera_path.empty()) wanted.camera_path = read_camera_path(options.camera_path);
    if (wanted.frames != 0) check_captured(wanted.capture, wanted.frames);
    Viewer viewer(wanted);
    wait_for_key(wanted.capture);
    viewer.run();
    out.write_json(viewer.close());
    require_no_validation_messages(viewer.validation_messages(), viewer.first_validation_message());
    // The viewer's end waits for what its threads read. Where that hangs, the process ends without it: all is saved.
    if (!viewer.stop_reading_within(kEndSeconds)) {
        note("a file did not come to its end; the viewer does not wait for it");
        std::cout.flush();
        std::_Exit(kDone);
    }
    return kDone;
}

}  // namespace

void add_view(CLI::App& program, Action& action) {
    auto options = std::make_shared<ViewArguments>();
    CLI::App* command = program.add_subcommand("view", "Look at a scene in a window");
    command->group(kOfPictures);
    command->footer(
        "sublet view                                       # the built-in scene; ? in the window shows all keys\n"
        "sublet view model.glb --view meshlets             # in false colours\n"
        "sublet view model.sublet --grid 13x13x13          # many of them\n"
        "sublet view model.glb --camera-path path.json     # play a path that was recorded with K");
    add_scene_option(*command, options->scene);
    add_load_options(*command, options->viewer.import);
    CLI::Option* size = add_size_option(*command, options->viewer.size);
    add_count_option(*command, "--samples", options->viewer.samples, 1, kMostSamples,
                     "Average so many frames while nothing moves, as render does: smooth edges. 1: none")
        ->group(kFilesGroup);
    command
        ->add_flag("--fresh", options->fresh,
                   "Start as if for the first time: window, settings, cameras and bookmarks of before stay away")
        ->group(kFilesGroup);
    const auto add_frames = [&](const char* name) {
        return add_count_option(*command, name, options->viewer.frames, 0, 1'000'000'000,
                                "Close the window after so many frames; 0: when the user does");
    };
    add_frames("--frames-then-exit")->group(kFilesGroup);
    add_frames("--frames")->group(kHidden);  // its name of old
    add_json_option(*command, options->json, "what was shown last");
    add_capture_options(*command, options->viewer.capture);
    CLI::Option* preset = add_preset_option(*command, options->viewer.settings);  // before the settings, which win
    add_setting_options(*command, options->viewer.settings);
    add_camera_path_option(*command, options->camera_path, "Play the cameras of this file, again and again.");
    command->callback([options, command, size, preset, &action] {
        options->viewer.scene = options->scene;
        options->size_given = size->count() > 0;
        options->preset_given = preset->count() > 0;
        options->viewer.written = given_settings(*command);
        action = [options] { return view(*options); };
    });
}

}  // namespace sublet::app
