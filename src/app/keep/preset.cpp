#include "app/keep/preset.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "app/file_options.h"
#include "app/keep/json_file.h"
#include "app/setting_options.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

constexpr int kPresetVersion = 1;
constexpr std::size_t kMostCharacters = 4096;  // of a value, which may be a path: an error repeats it

// Of one machine, of one picture, or of one scene.
bool is_kept(std::string_view name) {
    return name != "device" && name != "pick" && name != "variant" && name != "hide" && name != "isolate";
}

constexpr std::array<std::string_view, 3> kCamera{"camera", "near", "projection"};

bool is_camera(std::string_view name) {
    return std::ranges::find(kCamera, name) != kCamera.end();
}

std::string value_text(const Json& value, const std::string& field, const std::string& name) {
    std::string text;
    if (value.is_string()) {
        text = value.get<std::string>();
    } else if (value.is_number()) {
        text = value.dump();
    } else if (!value.is_null()) {
        throw Error(name, field, "is neither a text nor a number");
    }
    if (text.size() > kMostCharacters) {
        throw Error(name, field, "has " + std::to_string(text.size()) + " characters, more than any value");
    }
    return text;
}

// Sets all to their defaults, but for what a preset that names only `named` leaves alone.
void reset(render::Settings& settings, const Json& named) {
    const render::Settings defaults;
    const bool camera = std::ranges::any_of(kCamera, [&](std::string_view name) { return named.contains(name); });
    for (const render::Setting& setting : render::settings_table()) {
        if (is_kept(setting.name) && (camera || !is_camera(setting.name))) {
            setting.set(settings, setting.get(defaults));
        }
    }
}

}  // namespace

Json changed_settings(const render::Settings& settings) {
    const Json all = settings_json(settings);
    const Json defaults = settings_json({});
    Json changed = Json::object();
    for (const auto& [name, value] : all.items()) {
        if (is_kept(name) && value != defaults.at(name)) changed[name] = value;
    }
    return changed;
}

void set_from_json(render::Settings& settings, const std::string& setting, const Json& value, const std::string& name) {
    const std::string field = "settings." + setting.substr(0, 80);
    const render::Setting* const known = render::find_setting(setting);
    if (known == nullptr) throw Error(name, field, "there is no such setting");
    const std::string text = value_text(value, field, name);
    try {
        known->set(settings, text);
    } catch (const Error& error) {
        // "--name: 'value' is not …", as the command line has it.
        std::string what = error.what();
        const std::string option = "--" + setting + ": ";
        if (what.starts_with(option)) what.erase(0, option.size());
        throw Error(name, field, what);
    }
}

void save_preset(const std::filesystem::path& path, const render::Settings& settings) {
    const Json json{{"preset", kPresetVersion}, {"settings", changed_settings(settings)}};
    write_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void parse_preset(const std::string& text, const std::string& name, render::Settings& settings) {
    const Json json = parse_json_object(text, name);
    check_version(json, "preset", kPresetVersion, name);
    const auto named = json.find("settings");
    if (named == json.end() || !named->is_object()) throw Error(name, "settings", "must be an object of settings");
    render::Settings changed = settings;
    reset(changed, *named);
    for (const auto& [setting, value] : named->items()) set_from_json(changed, setting, value, name);
    settings = std::move(changed);
}

void load_preset(const std::filesystem::path& path, render::Settings& settings) {
    parse_preset(read_kept_file(path), path_text(path), settings);
}

CLI::Option* add_preset_option(CLI::App& command, render::Settings& settings) {
    const auto load = [&settings](const std::string& file) { load_preset(text_path(file), settings); };
    return command
        .add_option_function<std::string>(
            "--preset", load, "Take the settings of this JSON file, which the viewer saves; options beside it win")
        ->type_name("FILE.json")
        ->group(kFilesGroup);
}

}  // namespace sublet::app
