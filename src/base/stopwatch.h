#pragma once

#include <chrono>

#include "base/system.h"

namespace sublet {

/// Wall-clock time since it was made or last restarted, from a clock that never goes back.
class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double milliseconds() const { return seconds() * 1e3; }

    /// Starts again from zero; returns the seconds until now.
    double restart() {
        const Clock::time_point now = Clock::now();
        const double passed = std::chrono::duration<double>(now - start_).count();
        start_ = now;
        return passed;
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Time that the CPU spent on the thread that made it, however often it was interrupted.
class ThreadStopwatch {
  public:
    double milliseconds() const { return thread_cpu_milliseconds() - start_; }

  private:
    double start_ = thread_cpu_milliseconds();
};

}  // namespace sublet
