#include "app/plain_options.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "base/count_text.h"
#include "base/number_text.h"
#include "base/suggest.h"

namespace sublet::app {

namespace {

std::uint32_t count_of(const std::string& name, const std::string& text, std::uint32_t least, std::uint32_t most,
                       const char* before = "") {
    const auto number = parse_number<std::uint32_t>(text);
    if (number && *number >= least && *number <= most) return *number;
    throw CLI::ValidationError(name + ": '" + text + "' is not " + before + "a whole number from " +
                               std::to_string(least) + " to " + grouped(most));
}

}  // namespace

CLI::Option* add_count_option(CLI::App& command, const std::string& name, std::uint32_t& value, std::uint32_t least,
                              std::uint32_t most, const std::string& help) {
    const auto set = [&value, name, least, most](const std::string& text) {
        value = count_of(name, text, least, most);
    };
    return command.add_option_function<std::string>(name, set, help)
        ->type_name("N")
        ->default_str(std::to_string(value));
}

CLI::Option* add_auto_count_option(CLI::App& command, const std::string& name, std::uint32_t& value,
                                   std::uint32_t least, std::uint32_t most, const std::string& help) {
    const auto set = [&value, name, least, most](const std::string& text) {
        value = text == "auto" ? 0 : count_of(name, text, least, most, "auto or ");
    };
    return command.add_option_function<std::string>(name, set, help)->type_name("N|auto")->default_str("auto");
}

CLI::Option* add_choice_option(CLI::App& command, const std::string& name, std::string& value,
                               std::span<const NamedValue> choices, const std::string& help) {
    std::vector<std::string_view> names;
    std::string type;
    std::string all;
    std::string description = help;
    for (const NamedValue& choice : choices) {
        names.push_back(choice.name);
        type += (type.empty() ? "" : "|") + std::string(choice.name);
        all += (all.empty() ? "" : ", ") + std::string(choice.name);
        description += "\n" + std::string(choice.name) + ": " + std::string(choice.meaning);
    }
    const auto set = [&value, name, names, all](const std::string& text) {
        if (std::ranges::find(names, text) == names.end()) {
            throw CLI::ValidationError(name + ": '" + text + "' is not one of " + all + did_you_mean(text, names));
        }
        value = text;
    };
    return command.add_option_function<std::string>(name, set, description)->type_name(type)->default_str(value);
}

}  // namespace sublet::app
