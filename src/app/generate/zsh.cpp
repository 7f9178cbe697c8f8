// Completion for zsh, by its own _arguments.
#include <string_view>

#include "app/generate/generate.h"

namespace sublet::app {

namespace {

// For the inside of single quotes, in a place where zsh takes brackets and colons for its own.
std::string zsh_quoted(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else if (std::string_view("[]:\\").find(c) != std::string_view::npos) {
            out += std::string("\\") + c;
        } else {
            out += c;
        }
    }
    return out;
}

// "*.(gltf|glb)"
std::string globs(const OptionModel& option) {
    std::string text;
    for (const std::string& extension : option.extensions) text += (text.empty() ? "" : "|") + extension.substr(1);
    return "\"*.(" + text + ")\"";
}

// ":value:(auto on off)": what completes it.
std::string action(const OptionModel& option) {
    if (option.value.empty()) return "";
    const std::string label =
        ":" + zsh_quoted(option.is_file || !option.choices.empty() ? "value" : option.value) + ":";
    if (takes_setting(option)) return label + "_sublet_vary";
    if (option.value == "TOPIC") return label + "_sublet_topics";
    if (option.is_list) return label + "_values -s , value " + joined(choice_names(option), "", " ");
    if (!option.choices.empty() && !option.is_file) return label + "(" + joined(choice_names(option), "", " ") + ")";
    if (!option.is_file) return label;
    if (option.extensions.empty()) return label + "_files";
    const std::string files = globs(option);
    if (option.choices.empty()) return label + "_files -g " + files;
    // The blank before it: it is called as it stands.
    return label + " _sublet_words_or_files \"" + joined(choice_names(option), "", " ") + "\" " + files;
}

std::string spec(const OptionModel& option, std::size_t& place) {
    const std::string help = option.help.empty() ? "" : zsh_quoted(option.help.front());
    if (option.flags.empty()) return "'" + std::to_string(++place) + action(option) + "'";
    const std::string head = takes_setting(option) ? "'*'" : "'(" + joined(option.flags, "", " ") + ")'";
    std::string names;
    for (const std::string& flag : option.flags) {
        const std::string end = option.value.empty() ? "" : flag.starts_with("--") ? "=" : "+";
        names += (names.empty() ? "" : ",") + flag + end;
    }
    if (option.flags.size() > 1) names = "{" + names + "}";
    return head + names + "'[" + help + "]" + action(option) + "'";
}

}  // namespace

std::string zsh_completion(const ProgramModel& program) {
    std::string text = "#compdef " + program.name +
                       "\n# Completion of sublet for zsh; made from the program's own table of options.\n\n";
    std::string vary;
    std::string topics;
    std::string commands;
    std::string cases;
    for (const CommandModel& command : program.commands) {
        commands += "        '" + command.name + ":" + zsh_quoted(command.summary) + "'\n";
        topics += command.name + " ";
        cases += "                " + command.name + ")\n                    _arguments";
        std::size_t place = 0;
        for (const OptionModel& option : command.options) {
            cases += " \\\n                        " + spec(option, place);
            if (!takes_setting(option)) continue;
            std::string names;
            for (const OptionModel* setting : variable_options(command)) {
                const std::string name = setting->name().substr(2);
                vary += "    if compset -P '" + name + "='; then\n        compset -P '*,'\n        compadd -S '' -- " +
                        joined(choice_names(*setting), "", " ") + "\n        return\n    fi\n";
                names += name + " ";
            }
            vary += "    compadd -S = -- " + names + "\n";
            topics += names;
        }
        cases += "\n                    ;;\n";
    }
    text += "_sublet_words_or_files() {\n    compadd -- ${=1}\n    _files -g \"$2\"\n}\n\n";
    text += "_sublet_vary() {\n" + vary + "}\n\n_sublet_topics() {\n    compadd -- " + topics + "\n}\n\n";
    text += "_sublet() {\n    local state line\n    local -a commands\n    typeset -A opt_args\n    commands=(\n" +
            commands + "    )\n    _arguments -C";
    std::size_t place = 0;
    for (const OptionModel& option : program.options) text += " \\\n        " + spec(option, place);
    text += " \\\n        '1:command:->command' \\\n        '*::argument:->argument'\n    case $state in\n";
    text += "        command)\n            _describe command commands\n            _files -g " +
            globs(program.scene()) +
            "\n            ;;\n        argument)\n"
            "            # A scene may stand in the place of a command.\n"
            "            if (( ! ${commands[(I)$words[1]:*]} )); then\n"
            "                words=(" +
            program.scene_command +
            " \"${words[@]}\")\n                (( ++CURRENT ))\n            fi\n"
            "            case $words[1] in\n" +
            cases;
    return text + "            esac\n            ;;\n    esac\n}\n\n_sublet \"$@\"\n";
}

}  // namespace sublet::app
