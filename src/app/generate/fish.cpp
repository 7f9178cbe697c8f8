// Completion for fish.
#include <string_view>

#include "app/generate/generate.h"

namespace sublet::app {

namespace {

std::string fish_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return out + "'";
}

// A word of a list that fish expands again: without what has a meaning there.
std::string list_word(const ChoiceModel& choice) {
    std::string meaning;
    for (const char c : choice.meaning)
        meaning += std::string_view("$()\\\"'").find(c) == std::string_view::npos ? c : ' ';
    return meaning.empty() ? choice.name : choice.name + "\\t\"" + meaning + "\"";
}

std::string files(const OptionModel& option) {
    if (option.extensions.empty()) return " -r -F";
    std::string calls;
    for (const std::string& extension : option.extensions) {
        calls += (calls.empty() ? "" : "; ") + std::string("__fish_complete_suffix ") + extension;
    }
    return " -k -x -a " +
           fish_quoted(joined(choice_names(option), "", " ") + (option.choices.empty() ? "" : " ") + "(" + calls + ")");
}

// Arguments of `complete` for what an option takes.
std::string action(const CommandModel* command, const OptionModel& option) {
    if (option.value.empty()) return " -f";
    if (option.is_file) return files(option);
    if (option.is_list) {
        return " -x -a " + fish_quoted("(__fish_complete_list , \"string split ' ' '" +
                                       joined(choice_names(option), "", " ") + "'\")");
    }
    std::string words;
    if (command != nullptr && takes_setting(option)) {
        for (const OptionModel* setting : variable_options(*command)) {
            const std::string name = setting->name().substr(2);
            if (setting->choices.empty()) words += name + "= ";
            for (const ChoiceModel& choice : setting->choices) words += name + "=" + choice.name + " ";
        }
    }
    for (const ChoiceModel& choice : option.choices) words += list_word(choice) + " ";
    return " -x" + (words.empty() ? "" : " -a " + fish_quoted(words));
}

std::string line(const CommandModel* command, const OptionModel& option, const std::string& condition) {
    std::string text = "complete -c sublet -n " + fish_quoted(condition);
    for (const std::string& flag : option.flags) {
        text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
    }
    text += action(command, option);
    if (!option.flags.empty() && !option.help.empty()) text += " -d " + fish_quoted(option.help.front());
    return text + "\n";
}

}  // namespace

std::string fish_completion(const ProgramModel& program) {
    std::string text =
        "# Completion of sublet for fish; made from the program's own table of options.\ncomplete -c sublet -f\n";
    std::string patterns;
    for (const std::string& extension : program.scene().extensions) patterns += " '*" + extension + "'";
    text +=
        "\n# A scene may stand in the place of a command.\nfunction __sublet_starts_with_scene\n"
        "    set -l words (commandline -opc)\n    test (count $words) -gt 1; or return 1\n"
        "    switch $words[2]\n        case" +
        patterns + "\n            return 0\n    end\n    return 1\nend\n\n";
    text += "complete -c sublet -n __fish_use_subcommand" + files(program.scene()) + "\n";
    std::string topics;
    for (const CommandModel& command : program.commands) {
        text += "complete -c sublet -n __fish_use_subcommand -a " + command.name + " -d " +
                fish_quoted(command.summary) + "\n";
        topics += command.name + " ";
        for (const OptionModel* setting : variable_options(command)) {
            const std::string name = setting->name().substr(2) + " ";
            if (topics.find(" " + name) == std::string::npos) topics += name;
        }
    }
    for (const OptionModel& option : program.options) text += line(nullptr, option, "__fish_use_subcommand");
    for (const CommandModel& command : program.commands) {
        std::string condition = "__fish_seen_subcommand_from " + command.name;
        if (command.name == program.scene_command) condition += "; or __sublet_starts_with_scene";
        for (const OptionModel& option : command.options) {
            if (option.value == "TOPIC") {
                text += "complete -c sublet -n " + fish_quoted(condition) + " -f -a " + fish_quoted(topics) + "\n";
            } else {
                text += line(&command, option, condition);
            }
        }
    }
    return text;
}

}  // namespace sublet::app
