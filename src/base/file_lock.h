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

}  // namespace sublet
