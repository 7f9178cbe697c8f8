#include "app/view/typed_path.h"

#include <algorithm>

#include "base/path_text.h"

namespace sublet::app {

namespace {

// Letters beyond ASCII stay as they are.
char small_letter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
    const std::size_t end = text.find_last_not_of(kBlanks);
    return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

}  // namespace

std::filesystem::path typed_path(std::string_view text, const std::filesystem::path& folder,
                                 const std::filesystem::path& home) {
    text = without_blanks(text);
    if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front()) {
        text = text.substr(1, text.size() - 2);
    }
    const bool of_home = text == "~" || text.starts_with("~/") || text.starts_with("~\\");
    if (of_home && !home.empty()) return home / text_path(text.substr(std::min<std::size_t>(2, text.size())));
    return folder / text_path(text);  // an absolute one takes its place
}

std::optional<std::size_t> first_beginning(std::string_view text, std::span<const std::string> names) {
    if (text.empty()) return std::nullopt;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool begins = names[i].size() >= text.size() &&
                            std::equal(text.begin(), text.end(), names[i].begin(),
                                       [](char a, char b) { return small_letter(a) == small_letter(b); });
        if (begins) return i;
    }
    return std::nullopt;
}

}  // namespace sublet::app
