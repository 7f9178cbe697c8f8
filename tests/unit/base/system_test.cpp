#include "base/system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "base/allocator.h"
#include "base/error.h"
#include "base/files.h"
#include "base/free_memory.h"
#include "base/path_text.h"
#include "environment_change.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet {
namespace {

TEST(System, MessagesAreEnglishSentencesWithoutAnEnd) {
    const std::string missing = system_message(test::kNoFile);
    EXPECT_FALSE(missing.empty());
    EXPECT_NE(missing, system_message(5));
    EXPECT_NE(missing.back(), '.');
    EXPECT_EQ(missing.find_first_of("\r\n"), std::string::npos) << missing;
    EXPECT_NE(system_message(987'654).find("987654"), std::string::npos) << system_message(987'654);
    EXPECT_EQ(test::message_of<Error>([] { throw_system("a/b", "cannot open", test::kNoFile); }),
              "a/b: cannot open: " + missing);
}

TEST(System, TheEnvironmentIsUtf8) {
    EXPECT_FALSE(environment_variable("SUBLET_TEST_VARIABLE"));
    {
        const test::EnvironmentChange change("SUBLET_TEST_VARIABLE", "é漢字 = 1");
        EXPECT_EQ(environment_variable("SUBLET_TEST_VARIABLE"), "é漢字 = 1");
    }
    EXPECT_FALSE(environment_variable("SUBLET_TEST_VARIABLE"));
    const std::string long_one(5'000, 'x');
    const test::EnvironmentChange change("SUBLET_TEST_VARIABLE", long_one);
    EXPECT_EQ(environment_variable("SUBLET_TEST_VARIABLE"), long_one);
}

TEST(System, AnEmptyVariableIsSet) {
    const test::EnvironmentChange change("SUBLET_TEST_VARIABLE", "");
    EXPECT_EQ(environment_variable("SUBLET_TEST_VARIABLE"), "");
}

TEST(System, MemoryIsCountedInBytes) {
    const std::uint64_t before = peak_memory_bytes();
    EXPECT_GT(before, std::uint64_t{1} << 19U);
    EXPECT_LT(before, physical_memory_bytes());
    EXPECT_GT(physical_memory_bytes(), std::uint64_t{1} << 28U);
    constexpr std::size_t kSize = std::size_t{64} << 20U;
    const auto block = std::make_unique<char[]>(kSize);
    std::memset(block.get(), 1, kSize);
    EXPECT_GE(peak_memory_bytes(), before + kSize / 2);
    EXPECT_EQ(block[kSize / 2], 1);
    EXPECT_GT(free_memory_bytes(), std::uint64_t{16} << 20U);
}

TEST(System, BlocksOfTheAllocatorHaveTheirSize) {
    void* const block = std::malloc(1'000);
    EXPECT_GE(allocated_bytes(block), 1'000U);
    EXPECT_LT(allocated_bytes(block), 2'000U);
    std::free(block);
    EXPECT_EQ(allocated_bytes(nullptr), 0U);
}

TEST(System, TheProgramKnowsItsFile) {
    EXPECT_TRUE(executable_path().is_absolute());
    EXPECT_TRUE(is_file(executable_path()));
    EXPECT_EQ(executable_path().stem(), "test_base");
    EXPECT_EQ(size_of_file(executable_bytes_path()), size_of_file(executable_path()));
    EXPECT_GT(process_number(), 0U);
}

TEST(System, UserFoldersCanBeNamed) {
    const std::filesystem::path named = absolute_path("é漢字");
    const test::EnvironmentChange cache("XDG_CACHE_HOME", path_text(named));
    const test::EnvironmentChange state("XDG_STATE_HOME", "relative");
    EXPECT_EQ(user_folder(UserFolder::kCache), named);
    EXPECT_NE(user_folder(UserFolder::kState), "relative") << "a relative path names none";
    const test::EnvironmentChange none("XDG_CACHE_HOME", "");
    const std::filesystem::path own = user_folder(UserFolder::kCache);
    EXPECT_NE(own, named);
    EXPECT_TRUE(own.empty() || own.is_absolute()) << own;
}

TEST(System, LibrariesAreAskedForFunctions) {
    const char* const library = test::kWindows ? "kernel32.dll" : "libc.so.6";
    const char* const function = test::kWindows ? "GetTickCount" : "getpid";
    EXPECT_NE(library_function(library, function, false), nullptr) << "it is in the process";
    EXPECT_NE(library_function(library, function, true), nullptr);
    EXPECT_EQ(library_function(library, "no such function", true), nullptr);
    EXPECT_EQ(library_function("no such library", function, false), nullptr);
    EXPECT_EQ(library_function("no such library", function, true), nullptr);
    EXPECT_NE(std::string(kVulkanLoaderHelp), "");
    EXPECT_NE(std::string(kRenderDocLibrary).find("renderdoc"), std::string::npos);
}

}  // namespace
}  // namespace sublet
