#include "app/help_text.h"

#include <algorithm>
#include <string_view>

#include "app/commands.h"
#include "base/suggest.h"
#include "render/settings/setting_guide.h"

namespace sublet::app {

namespace {

constexpr std::size_t kColumns = 120;
constexpr std::size_t kTextColumn = 30;
constexpr std::size_t kCommandColumn = 12;

// Puts `text` behind what `line` holds, from `column` on, in as many lines as it takes; then `line` is empty.
void put(std::string& out, std::string& line, std::size_t column, std::string_view text) {
    const auto flush = [&] {
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
        line.clear();
    };
    if (line.size() >= column) flush();
    while (!text.empty()) {
        line.resize(column, ' ');
        std::size_t end = text.size();
        if (column + end > kColumns) {
            end = text.rfind(' ', kColumns - column);
            if (end == std::string_view::npos) end = std::min(text.find(' '), text.size());
        }
        line += text.substr(0, end);
        flush();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!line.empty()) flush();
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : std::string(separator)) + part;
    return text;
}

// "-o, --output FILE.png (required)", "--backend NAME [auto]".
std::string heading(const OptionModel& option) {
    std::string end = option.default_value.empty() ? "" : " [" + option.default_value + "]";
    if (option.required) end += " (required)";
    if (option.flags.empty()) return option.place + end;
    const std::string flags = joined(option.flags, ", ");
    if (option.value.empty()) return flags + end;
    const std::string whole = flags + " " + option.value + end;
    const bool fits = whole.size() + 2 <= kColumns || option.choices.empty();
    return fits ? whole
                : flags +
                      (option.is_list   ? " NAME,..."
                       : option.is_file ? " NAME|FILE"
                                        : " NAME") +
                      end;  // its values are told one by one, then
}

void put_option(std::string& out, const OptionModel& option) {
    std::string line = "  " + heading(option);
    // A gap of two blanks: else the text reads on.
    if (line.size() + 2 > kTextColumn) line.resize(std::max(line.size(), kTextColumn), ' ');
    for (const std::string& text : option.help) put(out, line, kTextColumn, text);
    for (const ChoiceModel& choice : option.choices) {
        if (!choice.meaning.empty()) put(out, line, kTextColumn, choice.name + ": " + choice.meaning);
    }
    if (!line.empty()) put(out, line, kTextColumn, "");
}

void put_options(std::string& out, const std::vector<OptionModel>& options) {
    std::string group;
    for (const OptionModel& option : options) {
        if (option.group != group) out += "\n" + option.group + ":\n";
        group = option.group;
        put_option(out, option);
    }
}

void put_examples(std::string& out, const std::vector<std::string>& examples) {
    if (examples.empty()) return;
    out += "\nExamples:\n";
    std::size_t column = 0;
    for (const std::string& example : examples) column = std::max(column, example.find(" #"));
    for (const std::string& example : examples) {
        const std::size_t at = std::min(example.find(" #"), example.size());
        std::string line = "  " + example.substr(0, at);
        line.resize(std::max(line.size(), column + 4), ' ');
        out += line + (at < example.size() ? example.substr(at + 1) : "") + "\n";
    }
}

// The option without its dashes; the place's name for one without.
std::string_view bare_name(const OptionModel& option) {
    std::string_view name = option.name();
    while (name.starts_with('-')) name.remove_prefix(1);
    return name;
}

// What the table of settings tells beside the help.
void put_documentation(std::string& out, std::string_view name) {
    const render::Setting* const setting = render::find_setting(name);
    if (setting != nullptr && !setting->docs.empty()) out += "\nMore in " + std::string(setting->docs) + "\n";
}

// Texts for an option of one name, each with the commands that have it.
std::string option_topic(const ProgramModel& program, std::string_view name) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const CommandModel& command : program.commands) {
        for (const OptionModel& option : command.options) {
            if (bare_name(option) != name || option.flags.empty()) continue;
            std::string text;
            put_option(text, option);
            const auto same = std::ranges::find(texts, text, &std::pair<std::string, std::string>::second);
            if (same == texts.end()) {
                texts.emplace_back(command.name, text);
            } else {
                same->first += ", " + command.name;
            }
        }
    }
    std::string out;
    for (const auto& [commands, text] : texts) {
        out += (out.empty() ? "" : "\n") + program.name + " " + commands + ":\n" + text;
    }
    if (!out.empty()) put_documentation(out, name);
    return out;
}

}  // namespace

std::string usage_line(const ProgramModel& program, const CommandModel& command) {
    std::string line = program.name + " " + command.name;
    for (const OptionModel& option : command.options) {
        if (option.flags.empty()) line += option.required ? " " + option.place : " [" + option.place + "]";
    }
    for (const OptionModel& option : command.options) {
        if (!option.flags.empty() && option.required) line += " " + option.flags.front() + " " + option.value;
    }
    return line + " [OPTIONS]";
}

std::string program_help(const ProgramModel& program) {
    std::string out = program.summary + "\n\nUsage: " + program.name + " COMMAND [OPTIONS]\n       " + program.name +
                      " " + program.scene().place + " [OPTIONS]    # as " + program.name + " " + program.scene_command +
                      " " + program.scene().place + " [OPTIONS]\n";
    std::string group;
    for (const CommandModel& command : program.commands) {
        if (command.group != group) out += "\n" + command.group + ":\n";
        group = command.group;
        std::string line = "  " + command.name;
        put(out, line, kCommandColumn, command.summary);
    }
    put_examples(out, program.examples);
    put_options(out, program.options);
    return out + "\n'" + program.name + " COMMAND --help' explains a command, '" + program.name +
           " help OPTION' an option.\n";
}

std::string command_help(const ProgramModel& program, const CommandModel& command) {
    std::string out = command.summary + "\n\nUsage: " + usage_line(program, command) + "\n";
    put_examples(out, command.examples);
    put_options(out, command.options);
    return out;
}

std::string topic_help(const ProgramModel& program, const std::string& topic) {
    std::vector<std::string_view> known;
    for (const CommandModel& command : program.commands) {
        if (command.name == topic) return command_help(program, command);
        known.push_back(command.name);
    }
    std::string_view name = topic;
    while (name.starts_with('-')) name.remove_prefix(1);
    if (std::string text = option_topic(program, name); !text.empty()) return text;
    for (const CommandModel& command : program.commands) {
        for (const OptionModel& option : command.options) {
            const std::string_view bare = bare_name(option);
            if (!option.flags.empty() && std::ranges::find(known, bare) == known.end()) {
                known.push_back(bare);
            }
        }
    }
    throw UsageError("there is no command or option '" + topic + "'" + did_you_mean(name, known) + " ('" +
                     program.name + " help' lists the commands)");
}

}  // namespace sublet::app
