// What signal handlers know of.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace sublet {

// A file that is mapped: that it can't be read any more is said by its name.
void note_mapping(std::span<const std::byte> bytes, const std::filesystem::path& path);
void forget_mapping(std::span<const std::byte> bytes) noexcept;

// What RemoveOnSignal would remove. A signal handler may call it.
void remove_unfinished_files() noexcept;

}  // namespace sublet
