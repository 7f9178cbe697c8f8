#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sublet {

/// Paths are UTF-8 wherever they are text: on the command line, in messages, JSON, glTF and windows. Every conversion
/// is one of these two: what std::filesystem does by itself depends on the system and its settings. On Linux a path is
/// any bytes, and stays what it is both ways.

/// A path as text. What is no Unicode in a Windows path becomes U+FFFD.
[[nodiscard]] std::string path_text(const std::filesystem::path& path);

/// The path that a text names. What is no UTF-8 becomes U+FFFD on Windows.
[[nodiscard]] std::filesystem::path text_path(std::string_view text);

}  // namespace sublet
