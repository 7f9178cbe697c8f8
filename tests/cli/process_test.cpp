// How programs are run here, and how ours ends when it is interrupted.
#include "process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "base/path_text.h"
#include "base/system.h"
#include "environment_change.h"
#include "gltf_text.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet::test {
namespace {

// The program says which word it does not know.
TEST(ProcessTest, ArgumentsArriveAsTheyAre) {
    for (const std::string word : {"two words", "a\"b", "\"\"", "back\\slash", "ends in one\\", "ends in two\\\\",
                                   "\\\"", "a\\\\\"b c\\", "é漢字", "*", "%PATH%", "^&|<>", "'single'"}) {
        const ProcessResult result = sublet({word});
        EXPECT_EQ(result.status, 2) << word;
        EXPECT_NE(result.err.find("'" + word + "'"), std::string::npos) << word << " became " << result.err;
    }
    EXPECT_NE(sublet({"render", "-o", "x.png", "--camera-path", ""}).err.find("an empty name"), std::string::npos);
}

TEST(ProcessTest, TheEnvironmentIsChangedForTheProgramAlone) {
    const TemporaryFolder folder;
    const EnvironmentChange own("XDG_CACHE_HOME", path_text(folder / "of the test"));
    const auto cache = [&](const std::vector<std::string>& environment) {
        return sublet({"cache", "--json", "-"}, {.folder = folder.path(), .environment = environment}).out;
    };
    const auto text = [&](const char* name) { return nlohmann::json(path_text(folder / name)).dump(); };
    const std::string beginning = text("é漢字").substr(0, text("é漢字").size() - 1);
    EXPECT_NE(cache({"XDG_CACHE_HOME=" + path_text(folder / "é漢字")}).find(beginning), std::string::npos);
    EXPECT_EQ(cache({}).find("of the test"), std::string::npos) << "a home of its own";
    EXPECT_EQ(cache({"XDG_CACHE_HOME"}).find("of the test"), std::string::npos);
}

TEST(ProcessTest, TellsHowMuchMemoryItHeld) {
    const ProcessResult result = sublet({"--version"});
    EXPECT_EQ(result.status, 0);
    EXPECT_GT(result.peak_bytes, std::uint64_t{1} << 20U);
    EXPECT_LT(result.peak_bytes, std::uint64_t{1} << 30U);
}

TEST(ProcessTest, WhatIsNotThereIsNoProgram) {
    EXPECT_FALSE(has_program("no such program"));
}

// Runs in a process of its own: writes and never ends.
TEST(Interrupt, DISABLED_WritesWithoutEnd) {
    AtomicFile first("first");
    AtomicFile second("second");
    first.write(std::string(std::size_t{3} << 20U, 'x'));
    std::cout << "writing" << std::endl;
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

TEST(Interrupt, LeavesTheOldFileAndNoTemporary) {
    if (under_wine()) GTEST_SKIP() << "wine interrupts by its terminal's keys alone";
    const TemporaryFolder folder;
    write_text(folder / "first", "old");
    Process writer({path_text(executable_path()), "--gtest_also_run_disabled_tests",
                    "--gtest_filter=Interrupt.DISABLED_WritesWithoutEnd"},
                   {.folder = folder.path(), .interruptible = true});
    while (writer.running() && writer.out_so_far().find("\nwriting") == std::string::npos) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(folder.entry_count(), 3) << "the old file and two temporaries";
    ASSERT_TRUE(writer.interrupt());
    EXPECT_EQ(writer.wait().status, kInterrupted);
    EXPECT_EQ(folder.entry_count(), 1) << "no temporary is left";
    EXPECT_EQ(read_text(folder / "first"), "old");
}

}  // namespace
}  // namespace sublet::test
