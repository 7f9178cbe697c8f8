#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace sublet {

/// A variable of the environment, as UTF-8; nothing where it is not set.
[[nodiscard]] std::optional<std::string> environment_variable(const char* name);

[[nodiscard]] std::uint64_t process_number();

/// Of the machine, in bytes.
[[nodiscard]] std::uint64_t physical_memory_bytes();

/// The most memory that the process has held so far.
[[nodiscard]] std::uint64_t peak_memory_bytes();

/// What the calling thread has used of the CPU. Windows counts it in ticks of its clock, 15.6 ms as a rule.
[[nodiscard]] double thread_cpu_milliseconds();

/// This program's file; empty where it can't be told. Its bytes are those that run, on Linux even where the file has
/// been replaced since: executable_bytes_path() leads to them.
[[nodiscard]] std::filesystem::path executable_path();
[[nodiscard]] std::filesystem::path executable_bytes_path();

enum class UserFolder : std::uint8_t {
    kCache,  // what can be made again
    kState,  // what a program remembers
};

/// Where the user's programs keep such things, a folder each; empty where the user has no such place. The variables
/// XDG_CACHE_HOME and XDG_STATE_HOME name it. Else it is ~/.cache or ~/.local/state; on Windows %LOCALAPPDATA%.
[[nodiscard]] std::filesystem::path user_folder(UserFolder folder);

/// A function of a library that is in the process, or, with `load`, that can be opened, and stays open then; null where
/// there is none. `library`: its file's name.
[[nodiscard]] void* library_function(const char* library, const char* function, bool load);

/// What the system's libraries are called, for messages and library_function().
extern const char* const kVulkanLoaderHelp;  // which file Vulkan's loader is, and where it comes from
extern const char* const kRenderDocLibrary;

}  // namespace sublet
