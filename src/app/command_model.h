// The command line as data: what help, the man page and the completions of shells are made from. It is read from the
// parser, so whoever adds a command or an option adds it there and nowhere else.
//
// What an option's type_name() says is what it takes:
//   "auto|on|off"            one of these values
//   "a|b|c,..."              one or more of them, with commas
//   "FILE", "FILE.png|.pfm"  a file; with one of these extensions
//   "on|off|FILE.png"        one of these values, or a file
//   anything else            free text: "N", "WxH"
// Lines of its description that start with a value and a colon tell what that value means.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sublet::app {

// The title of options that are taken and told of nowhere: names of old.
inline constexpr const char* kHidden = "";

struct ChoiceModel {
    std::string name, meaning;  // no meaning: its name says it
};

// An option, or an argument by its place (no flags then).
struct OptionModel {
    std::vector<std::string> flags;  // "-o", "--output"
    std::string place;               // "SCENE"
    std::string group;               // the title that it stands under
    std::string value;               // what it takes, as above; empty: nothing
    std::string default_value;
    std::vector<std::string> help;  // lines, without those of the choices
    std::vector<ChoiceModel> choices;
    bool is_list = false;                 // takes several of the choices
    bool is_file = false;                 // or, with choices, may be one
    std::vector<std::string> extensions;  // ".png"; none: of any file
    bool required = false;

    // "--output", "SCENE": what errors and texts call it.
    [[nodiscard]] const std::string& name() const { return flags.empty() ? place : flags.back(); }
};

struct CommandModel {
    std::string name, group, summary;
    std::vector<std::string> examples;  // a command line each, with what it does behind "#"
    std::vector<OptionModel> options;   // those of one group together, groups in the order of their first ones
};

struct ProgramModel {
    std::string name, summary;
    std::vector<std::string> examples;
    std::vector<CommandModel> commands;
    std::vector<OptionModel> options;
    std::string scene_command;  // what a scene in the place of a command is for

    // The argument of that command which the scene is.
    [[nodiscard]] const OptionModel& scene() const;
};

[[nodiscard]] CommandModel command_model(const CLI::App& command);
[[nodiscard]] ProgramModel program_model(const CLI::App& program);

// The model of this program.
[[nodiscard]] ProgramModel program_model();

}  // namespace sublet::app
