// Holds threads of the renderer where a test wants them (render::TestHooks).
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace sublet::test {

// Lets nobody read until it is opened.
class Gate {
  public:
    void wait() {
        std::unique_lock lock(mutex_);
        // For ever, but for a test that waits behind it: then that fails, and ends.
        if (!changed_.wait_for(lock, std::chrono::minutes(2), [this] { return open_; })) gave_up_ = true;
    }
    void open() {
        const std::scoped_lock lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    [[nodiscard]] bool gave_up() const {
        const std::scoped_lock lock(mutex_);
        return gave_up_;
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false, gave_up_ = false;
};

}  // namespace sublet::test
