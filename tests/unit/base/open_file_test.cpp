#include "base/open_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "base/path_text.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet {
namespace {

using test::message_of;
using test::TemporaryFolder;
using test::write_text;

std::string part(const OpenFile& file, std::size_t size, std::uint64_t offset) {
    std::string text(size, '?');
    file.read(std::as_writable_bytes(std::span(text)), offset);
    return text;
}

TEST(OpenFile, ReadsAnyPart) {
    const TemporaryFolder folder;
    write_text(folder / "é漢字", "0123456789\r\n\x1A\n");
    const OpenFile file(folder / "é漢字");
    EXPECT_EQ(file.size(), 14U);
    EXPECT_EQ(part(file, 14, 0), "0123456789\r\n\x1A\n") << "bytes as they are";
    EXPECT_EQ(part(file, 3, 4), "456");
    EXPECT_EQ(part(file, 0, 0), "");
    EXPECT_EQ(part(file, 2, 0), "01") << "in any order";
}

TEST(OpenFile, SaysWhenAFileIsTooShort) {
    const TemporaryFolder folder;
    write_text(folder / "a", "12345");
    const OpenFile file(folder / "a");
    const std::string expected = path_text(folder / "a") + ": the file became shorter while it was read";
    EXPECT_EQ(message_of<Error>([&] { static_cast<void>(part(file, 3, 3)); }), expected);
    EXPECT_EQ(message_of<Error>([&] { static_cast<void>(part(file, 1, 5)); }), expected);
    EXPECT_EQ(message_of<Error>([&] { static_cast<void>(part(file, 1, 1'000'000)); }), expected);
}

TEST(OpenFile, HindersNobody) {
    const TemporaryFolder folder;
    write_text(folder / "a", "first");
    const OpenFile file(folder / "a");
    write_text(folder / "a", "wrote");
    EXPECT_EQ(part(file, 5, 0), "wrote");
    const OpenFile again(folder / "a");
    EXPECT_EQ(replace_file(folder / "a", folder / "b"), 0);
    EXPECT_EQ(part(file, 5, 0), "wrote");
    EXPECT_EQ(remove_file(folder / "b"), 0);
    EXPECT_EQ(part(file, 5, 0), "wrote");
    EXPECT_EQ(part(again, 5, 0), "wrote");
}

TEST(OpenFile, RefusesWhatIsNoFile) {
    const TemporaryFolder folder;
    EXPECT_EQ(message_of<Error>([&] { OpenFile file(folder.path()); }),
              path_text(folder.path()) + ": this is a directory, not a file");
    EXPECT_EQ(message_of<Error>([&] { OpenFile file(folder / "none"); }),
              path_text(folder / "none") + ": cannot open: " + system_message(test::kNoFile));
    const char* const device = test::kWindows ? "NUL" : "/dev/null";
    EXPECT_EQ(message_of<Error>([&] { OpenFile file(device); }), std::string(device) + ": this is not a regular file");
}

TEST(OpenFile, TellsWhichErrorIsOfTheFolder) {
    const TemporaryFolder top;
    const std::filesystem::path folder = real_path(top.path()).value() / "folder";
    write_text(folder / "a", "inside");
    write_text(top / "b", "outside");
    EXPECT_EQ(part(OpenFile(folder / "a", folder), 6, 0), "inside");
    EXPECT_THROW(OpenFile(folder / "../b", folder), OutsideFolder);
    EXPECT_THROW(OpenFile(real_path(top / "b").value(), folder), OutsideFolder);
    EXPECT_EQ(part(OpenFile(folder / "../b"), 7, 0), "outside") << "where nobody holds it to a folder";
}

TEST(OpenFile, AMappingOutlivesIt) {
    const TemporaryFolder folder;
    write_text(folder / "a", "content");
    std::span<const std::byte> bytes;
    {
        const OpenFile file(folder / "a");
        bytes = file.map();
    }
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "content");
    unmap_file(bytes);
    unmap_file({});
    write_text(folder / "a", "");
    EXPECT_THROW(static_cast<void>(OpenFile(folder / "a").map()), Error);
}

}  // namespace
}  // namespace sublet
