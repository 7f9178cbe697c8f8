// The renderer's settings on the command line and in JSON, made from their one table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/output.h"
#include "render/settings/settings.h"
#include "scene/import.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sublet::app {

// Adds an option for every setting to `command`; parsing writes them into `settings`, which must live as long.
void add_setting_options(CLI::App& command, render::Settings& settings);

// The settings that the parsed command line names, in the order of their table.
[[nodiscard]] std::vector<const render::Setting*> given_settings(const CLI::App& command);

// Every setting under its name: numbers as numbers, absent ones as null, the others as the command line writes
// them, numbers with a unit (a grid spacing of "1.2x") among those.
[[nodiscard]] Json settings_json(const render::Settings& settings);

// The values of all settings of one scope, as one text: equal when a device (or a scene on it) can be kept.
[[nodiscard]] std::string scope_key(const render::Settings& settings, render::SettingScope scope);

// Adds --camera-path; `help` says what the command does with the cameras, and what the file holds follows.
void add_camera_path_option(CLI::App& command, std::filesystem::path& file, const std::string& help);

// Adds --scene and --allow-outside.
void add_import_options(CLI::App& command, scene::ImportOptions& options);

struct PictureSize {
    std::uint32_t width = 1280, height = 720;
};

// Adds --size WxH, each side 1 to 16384.
CLI::Option* add_size_option(CLI::App& command, PictureSize& size);

}  // namespace sublet::app
