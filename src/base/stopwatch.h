#pragma once

#include <chrono>
#include <ctime>

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
    double milliseconds() const { return now() - start_; }

  private:
    static double now() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }

    double start_ = now();
};

}  // namespace sublet
