#include "app/command_model.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "app/commands.h"
#include "render/settings/value_text.h"

namespace sublet::app {

namespace {

constexpr const char* kGroupOfRest = "Other";
constexpr std::string_view kMore = ",...";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    if (text.empty()) return lines;
    for (const std::string_view line : render::split(text, '\n')) lines.emplace_back(line);
    return lines;
}

// "FILE.exr|.pfm" -> ".exr", ".pfm".
std::vector<std::string> extensions_of(std::string_view value) {
    std::vector<std::string> extensions;
    for (const std::string_view part : render::split(value, '|')) {
        const std::size_t dot = part.find('.');
        if (dot != std::string_view::npos) extensions.emplace_back(part.substr(dot));
    }
    return extensions;
}

OptionModel option_model(const CLI::Option& option) {
    OptionModel model;
    for (const std::string& name : option.get_snames()) model.flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) model.flags.push_back("--" + name);
    if (model.flags.empty()) model.place = option.get_name();
    model.group = option.get_group() == "Options" ? kGroupOfRest : option.get_group();
    model.default_value = option.get_default_str();
    model.required = option.get_required();
    if (option.get_expected_max() > 0) {
        // Behind a colon the parser tells of its checks.
        model.value = option.get_type_name();
        model.value.erase(std::min(model.value.find(':'), model.value.size()));
    }
    const std::size_t file = model.value.starts_with("FILE") ? 0 : model.value.find("|FILE");
    model.is_file = file != std::string::npos;
    if (model.is_file) model.extensions = extensions_of(std::string_view(model.value).substr(file));
    std::string_view names = std::string_view(model.value).substr(0, file);
    if (names.find('|') != std::string::npos) {
        model.is_list = names.ends_with(kMore);
        if (model.is_list) names.remove_suffix(kMore.size());
        for (const std::string_view name : render::split(names, '|')) {
            model.choices.push_back({std::string(name), ""});
        }
    }
    for (const std::string& line : lines_of(option.get_description())) {
        const auto choice = std::ranges::find_if(
            model.choices, [&](const ChoiceModel& candidate) { return line.starts_with(candidate.name + ": "); });
        if (choice == model.choices.end()) {
            model.help.push_back(line);
        } else {
            choice->meaning = line.substr(choice->name.size() + 2);
        }
    }
    return model;
}

// Those of a group side by side, those of no group last.
std::vector<OptionModel> options_of(const CLI::App& app) {
    std::vector<std::string> groups;
    std::vector<OptionModel> all;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group() == kHidden) continue;
        all.push_back(option_model(*option));
        if (std::ranges::find(groups, all.back().group) == groups.end()) {
            groups.push_back(all.back().group);
        }
    }
    std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group != kGroupOfRest; });
    std::vector<OptionModel> sorted;
    for (const std::string& group : groups) {
        std::ranges::copy_if(all, std::back_inserter(sorted),
                             [&](const OptionModel& option) { return option.group == group; });
    }
    return sorted;
}

// The parser's footers hold examples: its own help is not used.
std::vector<std::string> examples_of(const CLI::App& app) {
    return lines_of(app.get_footer());
}

}  // namespace

const OptionModel& ProgramModel::scene() const {
    const auto command = std::ranges::find(commands, scene_command, &CommandModel::name);
    return *std::ranges::find_if(command->options, [](const OptionModel& option) { return option.flags.empty(); });
}

CommandModel command_model(const CLI::App& command) {
    return {command.get_name(), command.get_group(), command.get_description(), examples_of(command),
            options_of(command)};
}

ProgramModel program_model(const CLI::App& program) {
    ProgramModel model{program.get_name(), program.get_description(), examples_of(program), {}, options_of(program),
                       kSceneCommand};
    std::vector<std::string> groups;
    const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands) {
        if (std::ranges::find(groups, command->get_group()) == groups.end()) {
            groups.push_back(command->get_group());
        }
    }
    for (const std::string& group : groups) {
        for (const CLI::App* command : commands) {
            if (command->get_group() == group) model.commands.push_back(command_model(*command));
        }
    }
    return model;
}

}  // namespace sublet::app
