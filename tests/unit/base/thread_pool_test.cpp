#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "temporary_folder.h"

namespace sublet {
namespace {

class ThreadPoolTest : public testing::TestWithParam<unsigned> {
  protected:
    ThreadPool pool_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, testing::Values(1u, 2u, 5u));

TEST_P(ThreadPoolTest, HasTheThreadsAskedFor) {
    EXPECT_EQ(pool_.thread_count(), GetParam());
}

TEST_P(ThreadPoolTest, CoversEveryIndexOnceInTheSameRanges) {
    for (const std::size_t count : {0u, 1u, 7u, 64u, 1000u}) {
        for (const std::size_t grain : {0u, 1u, 3u, 64u, 5000u}) {
            std::mutex mutex;
            std::set<std::pair<std::size_t, std::size_t>> ranges;
            pool_.parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
                const std::lock_guard lock(mutex);
                EXPECT_TRUE(ranges.emplace(begin, end).second);
            });
            std::set<std::pair<std::size_t, std::size_t>> expected;
            const std::size_t step = std::max<std::size_t>(grain, 1);
            for (std::size_t begin = 0; begin < count; begin += step) {
                expected.emplace(begin, std::min(begin + step, count));
            }
            EXPECT_EQ(ranges, expected) << "count " << count << ", grain " << grain;
        }
    }
}

TEST_P(ThreadPoolTest, RunsLoopsInsideLoops) {
    std::atomic<int> sum{0};
    pool_.parallel_for(20, 1, [&](std::size_t, std::size_t) {
        pool_.parallel_for(10, 1, [&](std::size_t, std::size_t) {
            pool_.parallel_for(5, 2, [&](std::size_t begin, std::size_t end) { sum += static_cast<int>(end - begin); });
        });
    });
    EXPECT_EQ(sum, 20 * 10 * 5);
}

TEST_P(ThreadPoolTest, RethrowsTheFirstFailure) {
    for (int round = 0; round < 50; ++round) {
        const std::string message = test::message_of<std::runtime_error>([&] {
            pool_.parallel_for(100, 1, [](std::size_t begin, std::size_t) {
                if (begin >= 3 && begin % 2 == 1) throw std::runtime_error("range " + std::to_string(begin));
            });
        });
        EXPECT_EQ(message, "range 3");
    }
    // And is fit for use afterwards.
    std::atomic<int> calls{0};
    pool_.parallel_for(100, 1, [&](std::size_t, std::size_t) { ++calls; });
    EXPECT_EQ(calls, 100);
}

TEST_P(ThreadPoolTest, PassesFailuresThroughNestedLoops) {
    EXPECT_THROW(pool_.parallel_for(8, 1,
                                    [&](std::size_t, std::size_t) {
                                        pool_.parallel_for(8, 1, [](std::size_t begin, std::size_t) {
                                            if (begin == 5) throw std::out_of_range("inner");
                                        });
                                    }),
                 std::out_of_range);
}

TEST_P(ThreadPoolTest, ServesSeveralCallersAtOnce) {
    std::atomic<int> calls{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back([&] {
            for (int j = 0; j < 50; ++j) pool_.parallel_for(16, 1, [&](std::size_t, std::size_t) { ++calls; });
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(calls, 4 * 50 * 16);
}

// Each range waits for the other: only two threads at once can end this.
TEST(ThreadPool, RunsRangesAtTheSameTime) {
    ThreadPool pool(2);
    std::atomic<int> arrived{0};
    pool.parallel_for(2, 1, [&](std::size_t, std::size_t) {
        ++arrived;
        while (arrived < 2) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 2);
}

TEST(ThreadPool, OneThreadRunsInTheCallerInOrder) {
    ThreadPool pool(1);
    const std::thread::id caller = std::this_thread::get_id();
    std::vector<std::size_t> begins;
    pool.parallel_for(10, 2, [&](std::size_t begin, std::size_t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        begins.push_back(begin);
    });
    EXPECT_EQ(begins, (std::vector<std::size_t>{0, 2, 4, 6, 8}));
}

TEST(ThreadPool, ZeroMeansOnePerHardwareThread) {
    EXPECT_EQ(ThreadPool(0).thread_count(), std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace
}  // namespace sublet
