#pragma once

#include <cstdint>
#include <filesystem>

namespace sublet {

/// Keeps other processes that lock the same file waiting, while it lives. The file is made where it is missing, and
/// stays. Where the lock can't be had in a second, there is none.
class FileLock {
  public:
    explicit FileLock(const std::filesystem::path& file);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    std::intptr_t handle_;  // the system's
};

/// Marks a file that is there as in use, while it lives; the process's end takes the mark away. Nobody waits for it,
/// and reading, writing, renaming and removing the file go on as without.
class FileMark {
  public:
    enum class State : std::uint8_t {
        kNone,
        kHeld,    // marked by this one
        kTaken,   // another one has it, or the file is gone
        kUnknown  // the file system can't tell
    };

    FileMark() = default;
    explicit FileMark(const std::filesystem::path& file);
    ~FileMark();
    FileMark(const FileMark&) = delete;
    FileMark& operator=(const FileMark&) = delete;
    FileMark(FileMark&& other) noexcept;
    FileMark& operator=(FileMark&& other) noexcept;

    [[nodiscard]] State state() const { return state_; }

  private:
    State state_ = State::kNone;
    std::intptr_t handle_ = -1;  // the system's
};

}  // namespace sublet
