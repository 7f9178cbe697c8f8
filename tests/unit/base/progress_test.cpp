#include "base/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "base/thread_pool.h"

namespace sublet {
namespace {

// A test's stderr, captured, is a file: no terminal.
TEST(Progress, IsSilentWithoutATerminal) {
    testing::internal::CaptureStderr();
    {
        Progress progress("pack", 10);
        progress.advance(5);
        progress.advance();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressWatch, TellsTheNewestStageOfItsThread) {
    ProgressWatch watch;
    EXPECT_EQ(watch.state().stage, "");
    {
        const ProgressWatch::Scope scope(watch);
        Progress outer("upload", 200, "bytes");
        outer.advance(50);
        EXPECT_EQ(watch.state().stage, "upload");
        EXPECT_EQ(watch.state().unit, "bytes");
        EXPECT_EQ(watch.state().total, 200U);
        EXPECT_DOUBLE_EQ(watch.state().fraction, 0.25);
        {
            Progress inner("encode", 10, "triangles", 2);
            inner.advance(15);
            EXPECT_EQ(watch.state().stage, "encode");
            EXPECT_DOUBLE_EQ(watch.state().fraction, 0.75);
            inner.advance(15);
            EXPECT_DOUBLE_EQ(watch.state().fraction, 1.0);
        }
        std::thread([] { Progress other("elsewhere", 1); }).join();
        EXPECT_EQ(watch.state().stage, "upload");
    }
    EXPECT_EQ(watch.state().stage, "");
    Progress after("after", 1);
    EXPECT_EQ(watch.state().stage, "");
}

TEST(ProgressWatch, ItsObserverIsToldEachStep) {
    std::vector<std::pair<std::string, double>> told;
    ProgressWatch watch([&](const ProgressState& state) { told.emplace_back(state.stage, state.fraction); });
    const ProgressWatch::Scope scope(watch);
    Progress progress("encode", 4);
    progress.advance();
    progress.advance(3);
    const std::vector<std::pair<std::string, double>> expected{{"encode", 0.0}, {"encode", 0.25}, {"encode", 1.0}};
    EXPECT_EQ(told, expected);
}

TEST(ProgressWatch, CancelsWhatItsThreadBegan) {
    ProgressWatch watch;
    const ProgressWatch::Scope scope(watch);
    ThreadPool pool(4);
    Progress progress("encode", 1000);
    std::atomic<int> done{0};
    EXPECT_THROW(pool.parallel_for(1000, 1,
                                   [&](std::size_t, std::size_t) {
                                       if (++done == 10) watch.cancel();
                                       progress.advance();
                                   }),
                 Cancelled);
    EXPECT_LT(done, 100);
    EXPECT_TRUE(watch.cancelled());
    EXPECT_THROW(Progress("next", 1), Cancelled);
}

TEST(Stopwatch, NeverGoesBack) {
    Stopwatch watch;
    const double first = watch.seconds();
    EXPECT_GE(first, 0.0);
    EXPECT_GE(watch.milliseconds(), first * 1e3);
    EXPECT_GE(watch.restart(), first);
    EXPECT_LT(watch.seconds(), 60.0);
}

}  // namespace
}  // namespace sublet
