// sublet view: a window on a scene.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/output.h"
#include "app/session.h"
#include "app/setting_options.h"
#include "app/view/viewer.h"

namespace sublet::app {

namespace {

struct Options {
    std::string scene, camera_path, json;
    ViewerOptions viewer;
};

int view(const Options& options) {
    const Output out(options.json, {options.scene, options.camera_path});
    ViewerOptions wanted = options.viewer;
    if (!options.camera_path.empty()) wanted.camera_path = read_camera_path(options.camera_path);
    Viewer viewer(wanted);
    viewer.run();
    out.write_json(viewer.close());
    require_no_validation_messages(viewer.validation_messages(), viewer.first_validation_message());
    return kDone;
}

}  // namespace

void add_view(CLI::App& program, Action& action) {
    auto options = std::make_shared<Options>();
    CLI::App* command = program.add_subcommand("view", "Look at a scene in a window");
    add_scene_option(*command, options->scene);
    add_import_options(*command, options->viewer.import);
    add_size_option(*command, options->viewer.size);
    command
        ->add_option("--frames", options->viewer.frames, "Close the window after so many frames; 0: when the user does")
        ->check(CLI::Range(0, 1'000'000'000))
        ->capture_default_str();
    add_file_option(*command, "--camera-path", options->camera_path,
                    "Play a path of cameras from a JSON file, again and again");
    add_file_option(*command, "--json", options->json, "Write what was shown last as JSON to this file (- is stdout)");
    add_setting_options(*command, options->viewer.settings);
    command->callback([options, &action] {
        options->viewer.scene = options->scene;
        action = [options] { return view(*options); };
    });
}

}  // namespace sublet::app
