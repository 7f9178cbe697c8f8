// Completion for bash. It needs nothing but bash itself.
#include <map>

#include "app/generate/generate.h"

namespace sublet::app {

namespace {

// Words and files are looked up by "COMMAND --option": what completes the option's value.
constexpr const char* kFunctions = R"bash(# Completion of sublet for bash; made from the program's own table of options.

_sublet_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# One or more of these words, with commas.
_sublet_list() {
    local before=
    [[ $cur == *,* ]] && before=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
    compopt -o nospace 2>/dev/null
}

# Folders, and files with one of these extensions; without any, all files. And those of $words.
_sublet_files() {
    local extension more
    compopt -o filenames 2>/dev/null
    if [[ -z $1 ]]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
    fi
    mapfile -t COMPREPLY < <(compgen -d -- "$cur")
    for extension in $1; do
        mapfile -t more < <(compgen -f -X "!*$extension" -- "$cur")
        COMPREPLY+=("${more[@]}")
    done
    [[ -n $words ]] || return 0
    mapfile -t more < <(compgen -W "$words" -- "$cur")
    COMPREPLY+=("${more[@]}")
}

)bash";

constexpr const char* kMain = R"bash(
_sublet() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local at=$((COMP_CWORD - 1)) kind= values= words=
    COMPREPLY=()
    # A scene may stand in the place of a command.
    if ((COMP_CWORD == 1)); then
        _sublet_value "$_sublet_scene_command" ""
        words=$_sublet_commands
        _sublet_files "$values"
        return
    fi
    [[ " $_sublet_commands" == *" $command "* ]] || command=$_sublet_scene_command
    # bash takes --option=value for three words.
    if [[ $cur == "=" ]]; then
        cur=
    elif [[ $prev == "=" ]]; then
        at=$((COMP_CWORD - 2))
        prev=${COMP_WORDS[at]}
    fi
    # --vary setting=value,value
    if ((at < COMP_CWORD - 1 || ${#cur} == 0)) && [[ ${COMP_WORDS[at - 1]} == --vary ]]; then
        _sublet_value "$command" "--$prev"
        [[ $kind == words ]] && kind=list
    else
        _sublet_value "$command" "$prev"
    fi
    if [[ -z $kind && $cur == -* ]]; then
        kind=words
        _sublet_options "$command"
    elif [[ -z $kind ]]; then
        _sublet_value "$command" ""
    fi
    case $kind in
        words) _sublet_words "$values" ;;
        list) _sublet_list "$values" ;;
        files) _sublet_files "$values" ;;
        settings)
            _sublet_words "$values"
            compopt -o nospace 2>/dev/null
            ;;
    esac
}

complete -F _sublet sublet
)bash";

std::string kind_of(const OptionModel& option) {
    return option.is_file ? "files" : option.is_list ? "list" : option.choices.empty() ? "none" : "words";
}

// "kind=words values='auto on off'".
std::string value_text(const CommandModel& command, const OptionModel& option) {
    if (takes_setting(option)) {
        std::string names;
        for (const OptionModel* setting : variable_options(command)) names += setting->name().substr(2) + "= ";
        return "kind=settings values='" + names + "'";
    }
    const std::string values =
        option.is_file ? joined(option.extensions, "", " ") : joined(choice_names(option), "", " ");
    const std::string words = option.is_file ? joined(choice_names(option), "", " ") : "";
    return "kind=" + kind_of(option) + " values='" + values + "'" + (words.empty() ? "" : " words='" + words + "'");
}

// What `sublet help` explains.
std::string topics(const ProgramModel& program) {
    std::map<std::string, bool> names;
    for (const CommandModel& command : program.commands) {
        names[command.name] = true;
        for (const OptionModel& option : command.options) {
            if (!option.flags.empty()) names[option.name().substr(2)] = true;
        }
    }
    std::string text;
    for (const auto& [name, there] : names) text += name + " ";
    return text;
}

}  // namespace

std::string bash_completion(const ProgramModel& program) {
    std::string text = kFunctions;
    text += "_sublet_commands='";
    for (const CommandModel& command : program.commands) text += command.name + " ";
    for (const OptionModel& option : program.options) text += joined(option.flags, "", " ");
    text += "'\n_sublet_scene_command=" + program.scene_command + "\n\n_sublet_options() {\n    case $1 in\n";
    for (const CommandModel& command : program.commands) {
        text += "        " + command.name + ") values='";
        for (const OptionModel& option : command.options) text += joined(option.flags, "", " ");
        text += "' ;;\n";
    }
    text +=
        "    esac\n}\n\n# Of the value of an option of a command, or of its argument without one: its kind and "
        "values.\n";
    text += "_sublet_value() {\n    case \"$1 $2\" in\n";
    // Options that take the same in several commands share a line.
    std::map<std::string, std::string> patterns;
    for (const CommandModel& command : program.commands) {
        for (const OptionModel& option : command.options) {
            if (option.value.empty()) continue;
            const std::string value =
                option.value == "TOPIC" ? "kind=words values='" + topics(program) + "'" : value_text(command, option);
            std::string& pattern = patterns[value];
            if (option.flags.empty()) {
                const std::string place = "\"" + command.name + " \"";
                if (pattern.find(place) == std::string::npos) pattern += (pattern.empty() ? "" : " | ") + place;
            }
            for (const std::string& flag : option.flags) {
                pattern += (pattern.empty() ? "\"" : " | \"") + command.name + " " + flag + "\"";
            }
        }
    }
    for (const auto& [value, pattern] : patterns) text += "        " + pattern + ") " + value + " ;;\n";
    return text + "    esac\n}\n" + kMain;
}

}  // namespace sublet::app
