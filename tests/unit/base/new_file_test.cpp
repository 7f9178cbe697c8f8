#include "base/new_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet {
namespace {

using test::read_text;
using test::TemporaryFolder;

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

TEST(NewFile, IsMadeOnce) {
    const TemporaryFolder folder;
    {
        NewFile file;
        EXPECT_FALSE(file.is_open());
        bool exists = true;
        ASSERT_EQ(file.create(folder / "é漢字", exists), 0);
        EXPECT_FALSE(exists);
        EXPECT_TRUE(file.is_open());
        EXPECT_EQ(file.write(bytes_of("one\n")), 0);
        EXPECT_EQ(file.write({}), 0);
        EXPECT_EQ(file.write(bytes_of("two\r\n")), 0);
        EXPECT_EQ(file.close(), 0);
        EXPECT_FALSE(file.is_open());
        EXPECT_EQ(file.close(), 0) << "once more";
    }
    EXPECT_EQ(read_text(folder / "é漢字"), "one\ntwo\r\n");
    NewFile second;
    bool exists = false;
    EXPECT_NE(second.create(folder / "é漢字", exists), 0);
    EXPECT_TRUE(exists);
    EXPECT_FALSE(second.is_open());
    EXPECT_EQ(read_text(folder / "é漢字"), "one\ntwo\r\n");
}

TEST(NewFile, SaysWhyItCannotBeMade) {
    const TemporaryFolder folder;
    NewFile file;
    bool exists = true;
    EXPECT_EQ(file.create(folder / "no/file", exists), test::kNoFolder);
    EXPECT_FALSE(exists);
    EXPECT_FALSE(file.is_open());
}

TEST(NewFile, CanBeReadRenamedAndRemovedWhileItIsWritten) {
    const TemporaryFolder folder;
    NewFile file;
    bool exists = false;
    ASSERT_EQ(file.create(folder / "a", exists), 0);
    EXPECT_EQ(file.write(bytes_of("half")), 0);
    EXPECT_EQ(size_of_file(folder / "a"), 4U);
    EXPECT_EQ(remove_file(folder / "a"), 0) << "as after a signal";
    EXPECT_EQ(file.close(), 0);
    EXPECT_EQ(folder.entry_count(), 0);
}

TEST(NewFile, ADeviceTakesWhatIsWritten) {
    NewFile file;
    ASSERT_EQ(file.open_special(test::kWindows ? "NUL" : "/dev/null"), 0);
    EXPECT_EQ(file.write(bytes_of(std::string(100'000, 'x'))), 0);
    EXPECT_EQ(file.close(), 0);
    const TemporaryFolder folder;
    EXPECT_NE(NewFile().open_special(folder / "none"), 0);
    EXPECT_EQ(folder.entry_count(), 0);
}

}  // namespace
}  // namespace sublet
