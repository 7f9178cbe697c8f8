// A file in memory, for readers that take paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace sublet::fuzz {

// Replaces the content of the process's one file in memory; returns its path.
std::filesystem::path memory_file(const std::uint8_t* data, std::size_t size);

}  // namespace sublet::fuzz
