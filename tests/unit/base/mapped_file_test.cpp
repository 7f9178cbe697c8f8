#include "base/mapped_file.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "temporary_folder.h"
#include "this_system.h"

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

TEST(MappedFile, RefusesWhatItCannotMap) {
    const test::TemporaryFolder folder;
    const auto refusal = [&](const std::string& name) { return message_of<Error>([&] { MappedFile(folder / name); }); };
    const auto expected = [&](const char* name, const std::string& what) {
        return path_text(folder / name) + ": " + what;
    };
    EXPECT_EQ(refusal("missing"), expected("missing", "cannot open: " + system_message(test::kNoFile)));
    EXPECT_EQ(refusal("no/file"), expected("no/file", "cannot open: " + system_message(test::kNoFolder)));
    test::write_text(folder / "empty", "");
    EXPECT_EQ(refusal("empty"), expected("empty", "the file is empty"));
    std::filesystem::create_directory(folder / "folder");
    EXPECT_EQ(refusal("folder"), expected("folder", "this is a directory, not a file"));
}

TEST(MappedFile, HeldToAFolderIsNoFileOfAnother) {
    const test::TemporaryFolder top;
    const std::filesystem::path folder = real_path(top.path()).value() / "folder";
    test::write_text(folder / "deep/a", "inside");
    test::write_text(top / "b", "outside");
    test::write_text(top / "folder too/b", "outside, where the name begins alike");
    EXPECT_EQ(text_of(MappedFile(folder / "deep/a", folder)), "inside");
    EXPECT_EQ(text_of(MappedFile(folder / "deep/../deep/a", folder)), "inside");
    for (const char* name : {"../b", "../missing", "deep/../../b", "../folder too/b"}) {
        const std::filesystem::path path = folder / name;
        EXPECT_EQ(message_of<OutsideFolder>([&] { MappedFile(path, folder); }),
                  path_text(path) + ": lies outside of the folder");
    }
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "missing", folder); }),
              path_text(folder / "missing") + ": cannot open: " + system_message(test::kNoFile));
    EXPECT_EQ(message_of<Error>([&] { MappedFile(folder / "deep", folder); }),
              path_text(folder / "deep") + ": this is a directory, not a file");
}

}  // namespace
}  // namespace sublet
