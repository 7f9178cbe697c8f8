#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"

namespace sublet {
namespace {

TEST(Error, JoinsItsPartsInOneLine) {
    EXPECT_STREQ(Error("kitten.glb", "accessors[3].count", "is 7: must be a multiple of 3").what(),
                 "kitten.glb: accessors[3].count: is 7: must be a multiple of 3");
    EXPECT_STREQ(Error("kitten.glb", "", "the file is empty").what(), "kitten.glb: the file is empty");
    EXPECT_STREQ(Error("", "--size", "is 0x0").what(), "--size: is 0x0");
    EXPECT_STREQ(Error("no Vulkan device").what(), "no Vulkan device");
}

// Collects what is logged while it lives.
class LogTest : public testing::Test {
  protected:
    LogTest() {
        previous_ = set_log_sink(
            [this](LogLevel level, std::string_view message) { lines_.emplace_back(level, std::string(message)); });
    }
    ~LogTest() override { set_log_sink(std::move(previous_)); }

    std::vector<std::pair<LogLevel, std::string>> lines_;

  private:
    LogSink previous_;
};

TEST_F(LogTest, PassesLevelAndMessage) {
    note("a");
    warn("b");
    ASSERT_EQ(lines_.size(), 2u);
    EXPECT_EQ(lines_[0], std::pair(LogLevel::kNote, std::string("a")));
    EXPECT_EQ(lines_[1], std::pair(LogLevel::kWarning, std::string("b")));
}

TEST_F(LogTest, NotesOnce) {
    note_once("ignored: KHR_texture_transform");
    note_once("ignored: KHR_texture_transform");
    note_once("ignored: morph targets");
    note("ignored: morph targets");
    EXPECT_EQ(lines_.size(), 3u);
}

TEST_F(LogTest, KeepsLinesOfManyThreads) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (int j = 0; j < 100; ++j) {
                note("line");
                note_once("once");
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(lines_.size(), 401u);
}

TEST_F(LogTest, ACollectorGetsWhatWasWrittenBefore) {
    note_once("seen");
    NoteCollector outer;
    {
        NoteCollector inner;
        note_once("seen");
        note_once("new");
        note_once("new");
        note("by the way");
        EXPECT_EQ(inner.take(), (std::vector<std::string>{"seen", "new"}));
        EXPECT_TRUE(inner.take().empty());
    }
    note_once("later");
    EXPECT_EQ(outer.take(), (std::vector<std::string>{"seen", "new", "later"}));
    EXPECT_EQ(lines_.size(), 4u) << "each once, all the same";
}

TEST(Log, WritesToStderr) {
    testing::internal::CaptureStderr();
    note("left");
    warn("right");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "note: left\nwarning: right\n");
}

}  // namespace
}  // namespace sublet
