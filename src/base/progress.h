#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace sublet {

/// A progress bar on stderr for one stage of work, from construction to destruction; nothing at all when stderr is not
/// a terminal.
class Progress {
  public:
    /// `total` is in units of the caller's choice; 0 shows the stage's name alone.
    Progress(std::string stage, std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Counts `amount` units as done. Any thread may call it.
    void advance(std::uint64_t amount = 1);

  private:
    void draw();

    std::string stage_;
    std::uint64_t total_;
    bool shown_;
    std::atomic<std::uint64_t> done_{0};
    std::mutex mutex_;
    std::chrono::steady_clock::time_point last_drawn_;
};

}  // namespace sublet
