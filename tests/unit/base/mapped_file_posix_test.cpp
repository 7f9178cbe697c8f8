// Links, pipes and files without a name, as POSIX has them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/signal_cleanup.h"
#include "temporary_folder.h"

namespace sublet {
namespace {

using test::message_of;

std::string text_of_mapped(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, OutlivesTheNameOfTheFile) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a", "content");
    const MappedFile file(folder / "a");
    std::filesystem::remove(folder / "a");
    EXPECT_EQ(text_of_mapped(file), "content");
}

TEST(MappedFileDeathTest, ThatBecameShorterEndsTheProcessWithItsName) {
    const test::TemporaryFolder folder;
    const std::filesystem::path other = folder / "other", path = folder / "short";
    test::write_text(other, "content");
    test::write_text(path, std::string(100'000, 'a'));
    const auto read = [&] {
        survive_short_files();
        const MappedFile mapped(other);
        const MappedFile file(path);
        std::filesystem::resize_file(path, 10);
        std::exit(file.bytes()[90'000] == std::byte{'a'} ? 2 : 3);
    };
    EXPECT_EXIT(read(), testing::ExitedWithCode(1),
                "^error: " + path.string() + ": the file became shorter while it was read\n$");
}

TEST(MappedFile, RefusesAPipeWithoutWaitingForAWriter) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "pipe"); }),
              (folder / "pipe").string() + ": this is not a regular file");
}

TEST(MappedFile, HeldToAFolderFollowsLinksWithinItAlone) {
    const test::TemporaryFolder top;
    const std::filesystem::path folder = std::filesystem::canonical(top.path()) / "folder";
    test::write_text(folder / "deep/a", "inside");
    test::write_text(top / "b", "outside");
    std::filesystem::create_symlink("deep/a", folder / "link");
    std::filesystem::create_symlink("../b", folder / "leaves");
    std::filesystem::create_symlink("/dev/zero", folder / "device");
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);

    EXPECT_EQ(text_of_mapped(MappedFile(folder / "deep/a", folder)), "inside");
    EXPECT_EQ(text_of_mapped(MappedFile(folder / "link", folder)), "inside");
    for (const char* name : {"leaves", "device", "../b", "../missing", "deep/../../b"}) {
        const std::string path = (folder / name).string();
        EXPECT_EQ(message_of<OutsideFolder>([&] { MappedFile(path, folder); }), path + ": lies outside of the folder");
    }
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "pipe", folder); }),
              (folder / "pipe").string() + ": this is not a regular file");
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "missing", folder); }),
              (folder / "missing").string() + ": cannot open: No such file or directory");
}

}  // namespace
}  // namespace sublet
