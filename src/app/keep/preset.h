// Settings in a file: {"preset": 1, "settings": {NAME: VALUE, …}}, of which only those that differ from their defaults
// are written.
#pragma once

#include <filesystem>
#include <string>

#include "app/output.h"
#include "render/settings/settings.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sublet::app {

// What presets hold of these settings: all that differ from their defaults, under their names, but the device and the
// picked pixel, which mean nothing on another machine or in another picture.
[[nodiscard]] Json changed_settings(const render::Settings& settings);
// Sets the one that is named. Throws Error naming the file `name`, the setting and the value.
void set_from_json(render::Settings& settings, const std::string& setting, const Json& value, const std::string& name);

// Throws Error when the file can't be written.
void save_preset(const std::filesystem::path& path, const render::Settings& settings);
// Makes the settings those of the preset: what it leaves out takes its default. Device and picked pixel stay as they
// are where the preset does not name them; so does the camera, with its near plane and its projection, where it names
// none of the three. Throws Error, and changes nothing, on a name that is no setting's, a value that the setting can't
// take, and a file of a newer program.
void load_preset(const std::filesystem::path& path, render::Settings& settings);
// The same of a preset's text; `name` is blamed in errors.
void parse_preset(const std::string& text, const std::string& name, render::Settings& settings);

// Adds --preset FILE. Options that are added later win, wherever they stand on the command line.
CLI::Option* add_preset_option(CLI::App& command, render::Settings& settings);

}  // namespace sublet::app
