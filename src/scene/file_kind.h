// What a file is, before it is read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sublet::scene {

enum class FileKind : std::uint8_t { kGltf, kSublet };

// By its name or its first bytes; what is called .sublet claims to be one. A file that can't be read has the kind of
// its name: reading it tells why. Throws Error for a folder, and for a file that is neither.
[[nodiscard]] FileKind file_kind(const std::filesystem::path& path);

// The path's extension in small letters, with its dot.
[[nodiscard]] std::string lower_extension(const std::filesystem::path& path);

}  // namespace sublet::scene
