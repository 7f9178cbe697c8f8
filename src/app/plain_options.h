// Options that take a number or one of a few values, with errors that say which.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sublet::app {

// Adds an option that takes a whole number from `least` to `most`; what `value` holds is the default.
CLI::Option* add_count_option(CLI::App& command, const std::string& name, std::uint32_t& value, std::uint32_t least,
                              std::uint32_t most, const std::string& help);
// The same, of an option that takes "auto" as well, which stands for 0 and is the default.
CLI::Option* add_auto_count_option(CLI::App& command, const std::string& name, std::uint32_t& value,
                                   std::uint32_t least, std::uint32_t most, const std::string& help);

struct NamedValue {
    std::string_view name, meaning;
};
// Adds an option that takes one of these names; what `value` holds is the default, where it holds one.
CLI::Option* add_choice_option(CLI::App& command, const std::string& name, std::string& value,
                               std::span<const NamedValue> choices, const std::string& help);

}  // namespace sublet::app
