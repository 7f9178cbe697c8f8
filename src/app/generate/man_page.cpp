// The manual: each command with its options, and those that most commands share once.
#include <algorithm>
#include <string_view>

#include "app/commands.h"
#include "app/generate/generate.h"
#include "app/help_text.h"

namespace sublet::app {

namespace {

// So many commands or more, and an option that is the same in them stands in a section of its own.
constexpr std::size_t kCommandsThatShare = 3;

// A line of text: nothing in it is taken for a request or an escape.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

// An argument of a request: in quotation marks, which double inside.
std::string argument(std::string_view text) {
    std::string out = "\"";
    for (const char c : roff(text)) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string bold(std::string_view text) {
    return "\\fB" + roff(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + roff(text) + "\\fR";
}

bool same(const OptionModel& a, const OptionModel& b) {
    const auto choices = [](const OptionModel& option) {
        std::string text;
        for (const ChoiceModel& choice : option.choices) text += choice.name + ":" + choice.meaning + "\n";
        return text;
    };
    return a.flags == b.flags && a.value == b.value && a.help == b.help && a.default_value == b.default_value &&
           choices(a) == choices(b);
}

// The commands that have this very option.
std::vector<std::string> owners(const ProgramModel& program, const OptionModel& option) {
    std::vector<std::string> names;
    for (const CommandModel& command : program.commands) {
        if (std::ranges::any_of(command.options, [&](const OptionModel& other) { return same(option, other); })) {
            names.push_back(command.name);
        }
    }
    return names;
}

std::string option_text(const OptionModel& option) {
    std::string tag;
    for (const std::string& flag : option.flags) tag += (tag.empty() ? "" : ", ") + bold(flag);
    if (option.flags.empty()) tag = italic(option.place);
    const bool listed = !option.choices.empty();
    if (!option.flags.empty() && !option.value.empty()) {
        tag += " " + italic(!listed          ? option.value
                            : option.is_list ? "NAME,..."
                            : option.is_file ? "NAME|FILE"
                                             : "NAME");
    }
    std::string text = ".TP\n" + tag + "\n";
    for (const std::string& line : option.help) text += roff(line) + "\n";
    // Others follow it: what is one clause in a list is a sentence here.
    if (!option.help.empty() && std::string_view(".:;").find(option.help.back().back()) == std::string_view::npos) {
        text.insert(text.size() - 1, ".");
    }
    if (!option.default_value.empty()) text += "The default is " + bold(option.default_value) + ".\n";
    if (!listed) return text;
    text += ".RS\n";
    for (const ChoiceModel& choice : option.choices) {
        text +=
            ".IP " + argument(choice.name) + " 4\n" + (choice.meaning.empty() ? "\\&" : roff(choice.meaning)) + "\n";
    }
    return text + ".RE\n";
}

std::string examples_text(const std::vector<std::string>& examples) {
    if (examples.empty()) return "";
    std::string text = ".PP\n.EX\n";
    for (const std::string& example : examples) text += roff(example) + "\n";
    return text + ".EE\n";
}

std::string command_text(const ProgramModel& program, const CommandModel& command) {
    std::string text = ".SS " + argument(usage_line(program, command)) + "\n" + roff(command.summary) + ".\n";
    text += examples_text(command.examples);
    for (const OptionModel& option : command.options) {
        if (owners(program, option).size() < kCommandsThatShare) text += option_text(option);
    }
    return text;
}

std::string shared_text(const ProgramModel& program) {
    std::string text;
    std::vector<const OptionModel*> told;
    std::string group;
    for (const CommandModel& command : program.commands) {
        for (const OptionModel& option : command.options) {
            const std::vector<std::string> names = owners(program, option);
            const bool known =
                std::ranges::any_of(told, [&](const OptionModel* other) { return same(option, *other); });
            if (names.size() < kCommandsThatShare || known) continue;
            told.push_back(&option);
            std::string title = option.group + " (";
            for (const std::string& name : names) title += (title.ends_with('(') ? "" : ", ") + name;
            title += ")";
            if (title != group) text += ".SS " + argument(title) + "\n";
            group = title;
            text += option_text(option);
        }
    }
    return text;
}

}  // namespace

std::string man_page(const ProgramModel& program, const std::string& version) {
    std::string text = ".\\\" Made from the program's own table of options.\n.TH SUBLET 1 \"\" " +
                       argument(program.name + " " + version) + " \"User Commands\"\n";
    text += ".SH NAME\n" + program.name + " \\- view, render, measure and encode scenes of compressed meshlets\n";
    text += ".SH SYNOPSIS\n" + bold(program.name) + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]\n";
    text += ".br\n" + bold(program.name) + " " + italic(program.scene().place) + " [" + italic("OPTIONS") + "]\n";
    text += ".SH DESCRIPTION\n" + roff(program.summary) + "\n" + italic(program.scene().place) + " in the place of " +
            italic("COMMAND") + " is for " + bold(program.scene_command) + ".\n" + examples_text(program.examples);
    for (const OptionModel& option : program.options) text += option_text(option);
    text += ".SH COMMANDS\n";
    for (const CommandModel& command : program.commands) text += command_text(program, command);
    text += ".SH OPTIONS OF SEVERAL COMMANDS\n" + shared_text(program);
    text += ".SH EXIT STATUS\n.TP\n" + bold(std::to_string(kDone)) + "\nDone.\n.TP\n" + bold(std::to_string(kFailed)) +
            "\nThe input or the device can't do it: a line says why. For compare: the pictures differ.\n.TP\n" +
            bold(std::to_string(kWrongUsage)) + "\nThe command line is wrong.\n";
    return text;
}

}  // namespace sublet::app
