// The subcommands, a source file each. Every one declares its options on the command line; when it is the one that was
// asked for, parsing leaves it in `action`. Its footer holds examples, its group is one of those below. Help, the man
// page and completions follow by themselves (command_model.h).
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sublet::app {

// Exit statuses.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;      // the input or the device can't do it; for compare: the pictures differ
inline constexpr int kWrongUsage = 2;  // the command line is wrong

// Titles that commands stand under in help.
inline constexpr const char* kOfFiles = "Files";
inline constexpr const char* kOfPictures = "Pictures";
inline constexpr const char* kLookingUp = "Measuring and looking up";

// The command that a scene in the place of a command is for: `sublet kitten.glb`.
inline constexpr const char* kSceneCommand = "view";

// Runs the subcommand; returns the exit status. Throws Error, and UsageError for what only shows after parsing.
using Action = std::function<int()>;

// A wrong command line: exit status kWrongUsage.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

void add_encode(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_decode(CLI::App& program, Action& action);
void add_view(CLI::App& program, Action& action);
void add_render(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);
void add_bench(CLI::App& program, Action& action);
void add_devices(CLI::App& program, Action& action);
void add_cache(CLI::App& program, Action& action);

// The whole program: parses, runs, prints what went wrong on stderr as one line. `arguments`: as program_arguments()
// has them. Returns the exit status.
int run(const std::vector<std::string>& arguments);

}  // namespace sublet::app
