// Numbers in notes.
#pragma once

#include <array>
#include <charconv>
#include <string>

namespace sublet::scene::gltf {

// The shortest text that reads back as the same value of its type.
template <typename T>
[[nodiscard]] std::string number_text(T value) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

}  // namespace sublet::scene::gltf
