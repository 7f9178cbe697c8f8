// Values of settings as text, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/number_text.h"

namespace sublet::render {

// Blames the value of the setting `name`.
[[noreturn]] inline void reject(std::string_view name, std::string_view value, std::string_view expected) {
    throw Error("--" + std::string(name) + ": '" + std::string(value) + "' is not " + std::string(expected));
}

[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

}  // namespace sublet::render
