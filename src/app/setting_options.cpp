#include "app/setting_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "base/error.h"

namespace sublet::app {

namespace {

constexpr std::uint32_t kMaxSide = 16384;
constexpr std::size_t kHelpColumns = 120;

std::string type_text(const render::Setting& setting, const std::string& default_text) {
    switch (setting.kind) {
        case render::SettingKind::kInteger:
        case render::SettingKind::kFrameNumber:
            return "N";
        case render::SettingKind::kNumber:
            return "X";
        case render::SettingKind::kText:
            return "TEXT";
        case render::SettingKind::kSwitch:
        case render::SettingKind::kChoice:
            break;
    }
    std::string text;
    for (const std::string_view choice : setting.choices) text += (text.empty() ? "" : "|") + std::string(choice);
    const std::string line = "  --" + std::string(setting.name) + " " + text + " [" + default_text + "] ";
    return line.size() <= kHelpColumns ? text : "NAME";  // its help lists them, then
}

bool parse_size(std::string_view text, PictureSize& size) {
    const std::size_t cross = text.find('x');
    if (cross == std::string_view::npos) return false;
    const auto parse = [](std::string_view part, std::uint32_t& side) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), side);
        return error == std::errc{} && end == part.data() + part.size() && side >= 1 && side <= kMaxSide;
    };
    return parse(text.substr(0, cross), size.width) && parse(text.substr(cross + 1), size.height);
}

Json value_json(const std::string& text, render::SettingKind kind) {
    if (text.empty()) return nullptr;
    const bool number = kind == render::SettingKind::kInteger || kind == render::SettingKind::kFrameNumber ||
                        kind == render::SettingKind::kNumber;
    // What a setting's get() writes for a number is JSON's notation too.
    return number ? Json::parse(text) : Json(text);
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
        const std::string default_text = setting.get(defaults);
        command.add_option_function<std::string>("--" + std::string(setting.name), set, std::string(setting.help))
            ->type_name(type_text(setting, default_text))
            ->default_str(default_text)
            ->group("Settings");
    }
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

void add_import_options(CLI::App& command, scene::ImportOptions& options) {
    command.add_flag("--allow-outside", options.allow_outside,
                     "Let URIs of SCENE name files outside of its folder; without it they are refused");
}

void add_size_option(CLI::App& command, PictureSize& size) {
    const auto set = [&size](const std::string& value) {
        if (!parse_size(value, size)) {
            throw CLI::ValidationError("--size: '" + value + "' is not WxH, each from 1 to " +
                                       std::to_string(kMaxSide));
        }
    };
    command.add_option_function<std::string>("--size", set, "Width and height in pixels")
        ->type_name("WxH")
        ->default_str(std::to_string(size.width) + "x" + std::to_string(size.height));
}

}  // namespace sublet::app
