#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sublet {

/// The program's streams and arguments as the rest of it wants them, while it lives: UTF-8, no line end changed, and
/// escape sequences understood. A console that was there before is left as it was found.
class Console {
  public:
    Console();
    ~Console();  // NOLINT(performance-trivially-destructible): on Windows it does much
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

  private:
    unsigned output_page_ = 0, input_page_ = 0, error_mode_ = 0;
};

/// What main() got, as UTF-8; the program's name first.
[[nodiscard]] std::vector<std::string> program_arguments(int argc, const char* const* argv);

/// A text as one word of a command line, for people to copy: as a shell takes it, on Windows as cmd.exe and PowerShell
/// do. (In cmd.exe a % in it may name a variable all the same, in PowerShell a $.)
[[nodiscard]] std::string shell_word(std::string_view text);

/// Whether stderr is shown to somebody, and understands escape sequences.
[[nodiscard]] bool stderr_is_terminal();

}  // namespace sublet
