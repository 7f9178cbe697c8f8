#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sublet {

/// A fixed set of threads that share loops. The thread that calls parallel_for works too, so a pool of N threads starts
/// N - 1.
class ThreadPool {
  public:
    /// `threads` as the command line gives it: 0 means one per hardware thread, 1 that everything runs in the caller.
    explicit ThreadPool(unsigned threads = 0);

    /// Waits for the threads to end. No parallel_for may be running.
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// How many threads a loop runs on, the caller's included; at least 1.
    unsigned thread_count() const { return static_cast<unsigned>(workers_.size()) + 1; }

    /// Calls fn(begin, end) for the ranges [0, grain), [grain, 2 grain), ... [.., count), each once, and returns when
    /// all are done. The ranges depend on `count` and `grain` alone, never on the number of threads; their order in
    /// time does. When a call throws, ranges after it may be left out, and the exception of the first range that threw
    /// is rethrown. fn may call parallel_for itself. A `grain` of 0 counts as 1.
    void parallel_for(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& fn);

  private:
    struct Loop;

    void work();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::shared_ptr<Loop>> loops_;  // those that may still have ranges to hand out
    bool stopping_ = false;
    std::vector<std::thread> workers_;
};

}  // namespace sublet
