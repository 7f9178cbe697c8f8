#pragma once

#include <filesystem>

namespace sublet {

/// While it lives, a signal that ends the process (Ctrl-C, SIGTERM, SIGHUP, ...; on Windows also a closed console)
/// removes the file first; the process ends by that signal all the same. Signals that are ignored or handled otherwise
/// stay so. Of very many files at a time, the last ones are not removed.
class RemoveOnSignal {
  public:
    RemoveOnSignal() = default;
    explicit RemoveOnSignal(const std::filesystem::path& path);
    ~RemoveOnSignal();
    RemoveOnSignal(const RemoveOnSignal&) = delete;
    RemoveOnSignal& operator=(const RemoveOnSignal&) = delete;
    RemoveOnSignal(RemoveOnSignal&& other) noexcept;
    RemoveOnSignal& operator=(RemoveOnSignal&& other) noexcept;

  private:
    int slot_ = -1;
};

/// A file beyond the limit on sizes is an error with a message from now on, where the system would end the process.
void survive_size_limits();

/// Where a file that is mapped has become shorter, reading it ends the process with a message that names it, and status
/// 1, from now on, where the system would end it by a signal. Windows lets nobody make such a file shorter.
void survive_short_files();

}  // namespace sublet
