#include "base/progress.h"

#include <gtest/gtest.h>

#include "base/stopwatch.h"

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
