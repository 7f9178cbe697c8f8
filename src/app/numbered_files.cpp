#include "app/numbered_files.h"

#include <algorithm>

#include "app/commands.h"
#include "base/path_text.h"

namespace sublet::app {

NumberedName::NumberedName(const std::string& option, const std::filesystem::path& file) : before_(path_text(file)) {
    const std::string name = before_;
    const std::size_t at = name.find('%');
    if (at == std::string::npos) return;
    std::size_t end = at + 1;
    if (end + 1 < name.size() && name[end] == '0' && name[end + 1] >= '1' && name[end + 1] <= '9') {
        digits_ = static_cast<std::size_t>(name[end + 1] - '0');
        end += 2;
    }
    if (end >= name.size() || name[end] != 'd' || name.find('%', end) != std::string::npos) {
        throw UsageError(option + ": '" + name +
                         "' has a % in it: a name of numbered files has one %d, or, with zeros, one like %04d");
    }
    before_ = name.substr(0, at);
    after_ = name.substr(end + 1);
    numbered_ = true;
}

std::filesystem::path NumberedName::of(std::uint32_t number) const {
    if (!numbered_) return text_path(before_);
    std::string digits = std::to_string(number);
    digits.insert(0, digits_ - std::min(digits_, digits.size()), '0');
    return text_path(before_ + digits + after_);
}

}  // namespace sublet::app
