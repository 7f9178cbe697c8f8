#include "base/console.h"

#include <fcntl.h>
#include <io.h>

#include <array>
#include <cstdio>

#include "base/windows/native.h"

namespace sublet {

Console::Console() : output_page_(::GetConsoleOutputCP()), input_page_(::GetConsoleCP()) {
    // JSON and binaries have the line ends that they were written with.
    for (std::FILE* const stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
    ::SetConsoleOutputCP(CP_UTF8);
    ::SetConsoleCP(CP_UTF8);
    HANDLE const error = ::GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode = 0;
    if (::GetConsoleMode(error, &mode) == 0) return;
    error_mode_ = mode;
    ::SetConsoleMode(error, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

Console::~Console() {
    if (output_page_ != 0) ::SetConsoleOutputCP(output_page_);
    if (input_page_ != 0) ::SetConsoleCP(input_page_);
    if (error_mode_ != 0) ::SetConsoleMode(::GetStdHandle(STD_ERROR_HANDLE), error_mode_);
}

std::vector<std::string> program_arguments(int argc, const char* const* argv) {
    int count = 0;
    LPWSTR* const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    if (words == nullptr) return {argv, argv + argc};
    std::vector<std::string> arguments;
    for (int i = 0; i < count; ++i) arguments.push_back(windows::narrow(words[i]));
    ::LocalFree(words);
    return arguments;
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:./\\";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
    // Before a quotation mark, and so at the end, a backslash stands for itself only when there are two.
    std::string word = "\"";
    std::size_t backslashes = 0;
    for (const char c : text) {
        if (c == '"') word.append(backslashes + 1, '\\');
        backslashes = c == '\\' ? backslashes + 1 : 0;
        word += c;
    }
    return word.append(backslashes, '\\') + '"';
}

bool stderr_is_terminal() {
    DWORD mode = 0;
    return ::GetConsoleMode(::GetStdHandle(STD_ERROR_HANDLE), &mode) != 0 &&
           (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

}  // namespace sublet
