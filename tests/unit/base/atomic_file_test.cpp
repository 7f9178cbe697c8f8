#include "base/atomic_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet {
namespace {

using test::message_of;
using test::read_text;

TEST(AtomicFile, AppearsWhenCommitted) {
    const test::TemporaryFolder folder;
    AtomicFile file(folder / "out");
    const std::array<std::uint32_t, 2> words{0x64636261, 0x68676665};
    file.write("head");
    EXPECT_EQ(file.position(), 4u);
    file.write_objects<std::uint32_t>(words);
    EXPECT_EQ(file.position(), 12u);
    EXPECT_FALSE(path_exists(folder / "out"));
    file.commit();
    EXPECT_EQ(read_text(folder / "out"), "headabcdefgh");
    EXPECT_EQ(folder.entry_count(), 1);
}

TEST(AtomicFile, LeavesNothingWhenNotCommitted) {
    const test::TemporaryFolder folder;
    {
        AtomicFile file(folder / "out");
        file.write("half");
    }
    EXPECT_EQ(folder.entry_count(), 0);
}

TEST(AtomicFile, KeepsTheOldContentUntilCommitted) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    {
        AtomicFile file(folder / "out");
        file.write("new");
        EXPECT_EQ(read_text(folder / "out"), "old");
    }
    EXPECT_EQ(read_text(folder / "out"), "old");
    write_file(folder / "out", "new");
    EXPECT_EQ(read_text(folder / "out"), "new");
    EXPECT_EQ(folder.entry_count(), 1);
}

TEST(AtomicFile, WritesMoreThanItsBufferInOrder) {
    const test::TemporaryFolder folder;
    std::string expected;
    AtomicFile file(folder / "out");
    // Small writes across the buffer's end, and writes larger than it.
    for (const std::size_t size : {1u, 700'000u, 700'000u, 3'000'000u, 5u, 1u << 20, 0u, 17u}) {
        const std::string part(size, static_cast<char>('a' + expected.size() % 23));
        file.write(part);
        expected += part;
        EXPECT_EQ(file.position(), expected.size());
    }
    file.commit();
    EXPECT_EQ(read_text(folder / "out"), expected);
}

TEST(AtomicFile, RefusesWhatItCannotWrite) {
    const test::TemporaryFolder folder;
    const auto refusal = [](const std::filesystem::path& path) {
        return message_of<Error>([&] { AtomicFile file(path); });
    };
    EXPECT_EQ(refusal(folder / "no/out"),
              path_text(folder / "no/out") + ": cannot write: there is no folder " + path_text(folder / "no"));
    EXPECT_EQ(refusal(folder.path()), path_text(folder.path()) + ": cannot write: this is a directory");
    EXPECT_EQ(refusal(""), "cannot write a file: its name is empty");
    test::write_text(folder / "file", "old");
    EXPECT_EQ(refusal(folder / "file/out"),
              path_text(folder / "file/out") + ": cannot write: there is no folder " + path_text(folder / "file"));
    EXPECT_EQ(read_text(folder / "file"), "old");
    EXPECT_EQ(folder.entry_count(), 1);
}

// Readers keep what they have, and the next one finds the new file.
TEST(AtomicFile, ReplacesAFileThatIsReadAndMapped) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    const OpenFile open(folder / "out");
    const MappedFile mapped(folder / "out");
    write_file(folder / "out", "brand new");
    EXPECT_EQ(read_text(folder / "out"), "brand new");
    EXPECT_EQ(std::memcmp(mapped.bytes().data(), "old", 3), 0);
    std::array<char, 3> bytes{};
    open.read(std::as_writable_bytes(std::span(bytes)), 0);
    EXPECT_EQ(std::string(bytes.data(), 3), "old");
    write_file(folder / "out", "newer");
    EXPECT_EQ(read_text(folder / "out"), "newer");
}

TEST(AtomicFile, TakesAnyName) {
    const test::TemporaryFolder folder;
    for (const char* name : {"é漢字 \U0001F600.sublet", "- it's", "a.b.c", " x"}) {
        write_file(folder / name, "old");
        write_file(folder / name, name);
        EXPECT_EQ(read_text(folder / name), name);
    }
    EXPECT_EQ(folder.entry_count(), 4);
}

TEST(AtomicFile, TakesPathsOfAnyLength) {
    const test::TemporaryFolder folder;
    std::filesystem::path deep = folder.path();
    for (int i = 0; i < 12; ++i) deep /= std::string(40, static_cast<char>('a' + i));
    ASSERT_EQ(create_folders(deep), 0);
    for (const char* text : {"old", "new"}) {
        write_file(deep / "out", text);
        const MappedFile file(deep / "out");
        EXPECT_EQ(std::memcmp(file.bytes().data(), text, 3), 0);
        if (test::under_wine()) break;  // it can't tell where a file lies whose path is long
    }
    std::vector<ListedFile> files;
    EXPECT_EQ(list_folder(deep, files), 0);
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files[0].path, deep / "out");
    EXPECT_EQ(remove_file(deep / "out"), 0);
    EXPECT_FALSE(path_exists(deep / "out"));
}

TEST(AtomicFile, CannotBeWrittenAfterCommit) {
    const test::TemporaryFolder folder;
    AtomicFile file(folder / "out");
    file.commit();
    EXPECT_THROW(file.write("more"), Error);
    EXPECT_THROW(file.commit(), Error);
    EXPECT_EQ(read_text(folder / "out"), "");
}

}  // namespace
}  // namespace sublet
