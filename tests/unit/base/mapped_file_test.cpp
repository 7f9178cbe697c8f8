#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "temporary_folder.h"

namespace sublet {
namespace {

using test::message_of;

std::string text_of(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, HoldsTheBytesOfTheFile) {
    const test::TemporaryFolder folder;
    // More than a page, not a whole number of pages.
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += std::to_string(i);
    test::write_text(folder / "ünïcode name", text);
    const MappedFile file(folder / "ünïcode name");
    EXPECT_EQ(text_of(file), text);
    EXPECT_EQ(file.path(), folder / "ünïcode name");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file.bytes().data()) % 4096, 0u);
}

TEST(MappedFile, MovesWithItsMapping) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a", "first");
    test::write_text(folder / "b", "second");
    MappedFile a(folder / "a");
    MappedFile b(folder / "b");
    a = std::move(b);
    EXPECT_EQ(text_of(a), "second");
    EXPECT_TRUE(b.bytes().empty());  // NOLINT(bugprone-use-after-move): what a move leaves is what is tested
    const MappedFile c(std::move(a));
    EXPECT_EQ(text_of(c), "second");
    EXPECT_TRUE(MappedFile().bytes().empty());
}

TEST(MappedFile, OutlivesTheNameOfTheFile) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a", "content");
    const MappedFile file(folder / "a");
    std::filesystem::remove(folder / "a");
    EXPECT_EQ(text_of(file), "content");
}

TEST(MappedFile, RefusesWhatItCannotMap) {
    const test::TemporaryFolder folder;
    const auto refusal = [&](const std::string& name) { return message_of<Error>([&] { MappedFile(folder / name); }); };
    const std::string base = folder.path().string();

    EXPECT_EQ(refusal("missing"), base + "/missing: cannot open: No such file or directory");

    test::write_text(folder / "empty", "");
    EXPECT_EQ(refusal("empty"), base + "/empty: is empty");

    std::filesystem::create_directory(folder / "folder");
    EXPECT_EQ(refusal("folder"), base + "/folder: is a directory, not a file");

    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(refusal("pipe"), base + "/pipe: is not a regular file");
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

    EXPECT_EQ(text_of(MappedFile(folder / "deep/a", folder)), "inside");
    EXPECT_EQ(text_of(MappedFile(folder / "link", folder)), "inside");
    for (const char* name : {"leaves", "device", "../b", "../missing", "deep/../../b"}) {
        const std::string path = (folder / name).string();
        EXPECT_EQ(message_of<OutsideFolder>([&] { MappedFile(path, folder); }), path + ": lies outside of the folder");
    }
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "pipe", folder); }),
              (folder / "pipe").string() + ": is not a regular file");
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "missing", folder); }),
              (folder / "missing").string() + ": cannot open: No such file or directory");
}

}  // namespace
}  // namespace sublet
