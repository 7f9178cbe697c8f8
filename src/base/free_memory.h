#pragma once

#include <cstdint>
#include <filesystem>

namespace sublet {

/// What a process may still take of the machine's memory, in bytes: what is free or can be freed at once, what can be
/// swapped out for it, and no more than what the groups of processes that this one is in are held to. `root`: the
/// folder that the system tells of itself in, where it has one; tests name others.
[[nodiscard]] std::uint64_t free_memory_bytes(const std::filesystem::path& root = "/");

}  // namespace sublet
