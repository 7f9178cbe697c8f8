#include "app/setting_options.h"

#include <CLI/CLI.hpp>

#include "app/camera_path.h"
#include "app/file_options.h"
#include "base/error.h"
#include "base/number_text.h"
#include "render/settings/setting_guide.h"

namespace sublet::app {

namespace {

constexpr std::uint32_t kMaxSide = 16384;

// What its option takes, as command_model.h wants it.
std::string type_text(const render::Setting& setting) {
    if (!setting.value.empty()) return std::string(setting.value);
    std::string text;
    for (const render::ChoiceGuide& choice : setting.values) {
        text += (text.empty() ? "" : "|") + std::string(choice.choice);
    }
    if (text.empty()) return "N";
    // "sky|none|FILE.hdr|.exr"
    for (std::size_t i = 0; i < setting.extensions.size(); ++i) {
        text += (i == 0 ? "" : "|") + std::string(setting.extensions[i]);
    }
    return setting.choices.empty() ? text + ",..." : text;
}

// Its help, and a line for each value that has a sentence.
std::string description(const render::Setting& setting) {
    std::string text(setting.help);
    for (const render::ChoiceGuide& choice : setting.values) {
        if (choice.sentence.empty()) continue;
        text += "\n" + std::string(choice.choice) + ": " + std::string(choice.sentence);
    }
    return text;
}

bool parse_size(std::string_view text, PictureSize& size) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return false;
    const auto parse = [](std::string_view part, std::uint32_t& side) {
        side = parse_number<std::uint32_t>(part).value_or(0);
        return side >= 1 && side <= kMaxSide;
    };
    return parse(text.substr(0, cross), size.width) && parse(text.substr(cross + 1), size.height);
}

Json value_json(const std::string& text, render::SettingKind kind) {
    if (text.empty()) return nullptr;
    const bool number = kind == render::SettingKind::kInteger || kind == render::SettingKind::kFrameNumber ||
                        kind == render::SettingKind::kNumber;
    // What a setting's get() writes for a number is JSON's notation too. One with a unit ("1.2x") stays a text.
    return number && Json::accept(text) ? Json::parse(text) : Json(text);
}

}  // namespace

void add_setting_options(CLI::App& command, render::Settings& settings) {
    const render::Settings defaults;
    for (const render::Setting& setting : render::settings_table()) {
        const auto set = [&settings, &setting](const std::string& value) {
            try {
                setting.set(settings, value);
            } catch (const Error& error) {
                throw CLI::ValidationError(error.what());
            }
        };
        command.add_option_function<std::string>("--" + std::string(setting.name), set, description(setting))
            ->type_name(type_text(setting))
            ->default_str(setting.get(defaults))
            ->group(std::string(render::group_title(setting.group)));
    }
}

std::vector<const render::Setting*> given_settings(const CLI::App& command) {
    std::vector<const render::Setting*> given;
    for (const render::Setting& setting : render::settings_table()) {
        const CLI::Option* option = command.get_option_no_throw("--" + std::string(setting.name));
        if (option != nullptr && option->count() > 0) given.push_back(&setting);
    }
    return given;
}

Json settings_json(const render::Settings& settings) {
    Json json = Json::object();
    for (const render::Setting& setting : render::settings_table()) {
        json[std::string(setting.name)] = value_json(setting.get(settings), setting.kind);
    }
    return json;
}

std::string scope_key(const render::Settings& settings, render::SettingScope scope) {
    std::string key;
    for (const render::Setting& setting : render::settings_table()) {
        if (setting.scope == scope) key += std::string(setting.name) + "=" + setting.get(settings) + "\n";
    }
    return key;
}

void add_camera_path_option(CLI::App& command, std::filesystem::path& file, const std::string& help) {
    add_file_option(command, "--camera-path", file, help + "\n" + kCameraPathHelp)
        ->type_name("FILE.json")
        ->group(std::string(render::group_title(render::SettingGroup::kCamera)));
}

void add_import_options(CLI::App& command, scene::ImportOptions& options) {
    command
        .add_option("--scene", options.scene,
                    "Which scene of a .gltf or .glb that has several: its name or number; by default the file's own")
        ->type_name("NAME|N")
        ->group(kFilesGroup);
    command
        .add_flag("--allow-outside", options.allow_outside,
                  "Let the scene's URIs name files outside of its folder; without it they are refused")
        ->group(kFilesGroup);
}

CLI::Option* add_size_option(CLI::App& command, PictureSize& size) {
    const auto set = [&size](const std::string& value) {
        if (!parse_size(value, size)) {
            throw CLI::ValidationError("--size: '" + value + "' is not WxH, each from 1 to " +
                                       std::to_string(kMaxSide));
        }
    };
    return command.add_option_function<std::string>("--size", set, "Width and height of the picture in pixels")
        ->type_name("WxH")
        ->default_str(std::to_string(size.width) + "x" + std::to_string(size.height))
        ->group(kFilesGroup);
}

}  // namespace sublet::app
