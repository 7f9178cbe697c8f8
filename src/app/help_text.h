// Help for a terminal, at most 120 columns wide.
#pragma once

#include <string>

#include "app/command_model.h"

namespace sublet::app {

// `sublet --help`: the commands in groups.
[[nodiscard]] std::string program_help(const ProgramModel& program);
// `sublet COMMAND --help`: examples, and its options in groups.
[[nodiscard]] std::string command_help(const ProgramModel& program, const CommandModel& command);
// `sublet help TOPIC`: a command, or an option, with or without its dashes. Throws UsageError for anything else.
[[nodiscard]] std::string topic_help(const ProgramModel& program, const std::string& topic);

// "sublet render [SCENE] -o FILE.png [OPTIONS]".
[[nodiscard]] std::string usage_line(const ProgramModel& program, const CommandModel& command);

}  // namespace sublet::app
