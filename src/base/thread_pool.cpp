#include "base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

namespace sublet {

struct ThreadPool::Loop {
    std::size_t count = 0;
    std::size_t grain = 1;
    std::size_t range_count = 0;
    const std::function<void(std::size_t, std::size_t)>* fn = nullptr;

    std::atomic<std::size_t> next_range{0};
    std::atomic<std::size_t> first_failure{SIZE_MAX};

    std::mutex mutex;
    std::condition_variable finished;
    std::size_t ranges_done = 0;
    std::exception_ptr failure;

    // Runs ranges until none is left to claim.
    void run() {
        std::size_t done = 0;
        for (;;) {
            const std::size_t range = next_range.fetch_add(1, std::memory_order_relaxed);
            if (range >= range_count) break;
            ++done;
            // Ranges are claimed in order, so every range before a failed one runs, and which failure is first does not
            // depend on timing.
            if (range > first_failure.load(std::memory_order_relaxed)) continue;
            const std::size_t begin = range * grain;
            try {
                (*fn)(begin, begin + std::min(grain, count - begin));
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (range < first_failure.load(std::memory_order_relaxed)) {
                    first_failure.store(range, std::memory_order_relaxed);
                    failure = std::current_exception();
                }
            }
        }
        if (done == 0) return;
        const std::lock_guard lock(mutex);
        ranges_done += done;
        if (ranges_done == range_count) finished.notify_all();
    }
};

ThreadPool::ThreadPool(unsigned threads) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    workers_.reserve(threads - 1);
    try {
        for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // The system grants no more threads: those there are do the work.
    }
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::parallel_for(std::size_t count, std::size_t grain,
                              const std::function<void(std::size_t, std::size_t)>& fn) {
    if (count == 0) return;
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t range_count = (count - 1) / grain + 1;
    if (workers_.empty() || range_count == 1) {
        for (std::size_t range = 0; range < range_count; ++range) {
            const std::size_t begin = range * grain;
            fn(begin, begin + std::min(grain, count - begin));
        }
        return;
    }

    // Shared, since a worker may look at the loop after its last range is done and this call has returned.
    const auto loop = std::make_shared<Loop>();
    loop->count = count;
    loop->grain = grain;
    loop->range_count = range_count;
    loop->fn = &fn;
    {
        const std::lock_guard lock(mutex_);
        // In front: a loop inside a loop is what its outer range waits for.
        loops_.push_front(loop);
    }
    wake_.notify_all();
    // This thread waits below only for ranges that other threads already run, so nested loops cannot wait for each
    // other.
    loop->run();
    {
        const std::lock_guard lock(mutex_);
        std::erase(loops_, loop);
    }
    std::unique_lock lock(loop->mutex);
    loop->finished.wait(lock, [&] { return loop->ranges_done == range_count; });
    // Taken from the loop, which another thread may be the last to let go of.
    if (const std::exception_ptr failure = std::exchange(loop->failure, nullptr)) std::rethrow_exception(failure);
}

void ThreadPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !loops_.empty(); });
        if (stopping_) return;
        const std::shared_ptr<Loop> loop = loops_.front();
        lock.unlock();
        loop->run();
        lock.lock();
        // Whoever finds a loop used up takes it from the list.
        std::erase(loops_, loop);
    }
}

}  // namespace sublet
