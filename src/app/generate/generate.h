// Texts for a shell and for man, made from the command line's model when Sublet is built.
#pragma once

#include <string>

#include "app/command_model.h"

namespace sublet::app {

// sublet.1, in roff's man macros.
[[nodiscard]] std::string man_page(const ProgramModel& program, const std::string& version);
// Completions: what bash, zsh and fish load.
[[nodiscard]] std::string bash_completion(const ProgramModel& program);
[[nodiscard]] std::string zsh_completion(const ProgramModel& program);
[[nodiscard]] std::string fish_completion(const ProgramModel& program);

// The settings that --vary takes, each with its values: options of the command with --vary, without their dashes.
[[nodiscard]] std::vector<const OptionModel*> variable_options(const CommandModel& command);
[[nodiscard]] bool takes_setting(const OptionModel& option);  // "SETTING=a,b,c"

// The names joined, each between `before` and `after`.
template <class Names>
[[nodiscard]] std::string joined(const Names& names, const std::string& before, const std::string& after) {
    std::string text;
    for (const auto& name : names) text += before + std::string(name) + after;
    return text;
}

[[nodiscard]] std::vector<std::string> choice_names(const OptionModel& option);

}  // namespace sublet::app
