#include "base/console.h"

#include <unistd.h>

namespace sublet {

Console::Console() = default;
Console::~Console() = default;

std::vector<std::string> program_arguments(int argc, const char* const* argv) {
    return {argv, argv + argc};
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

bool stderr_is_terminal() {
    return ::isatty(STDERR_FILENO) != 0;
}

}  // namespace sublet
