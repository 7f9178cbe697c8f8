#include "base/path_text.h"

#include <gtest/gtest.h>

#include <string>

#include "temporary_folder.h"
#include "this_system.h"

namespace sublet {
namespace {

TEST(PathText, IsUtf8BothWays) {
    for (const std::string text : {"", "plain.gltf", "a/b\\c", "é漢字", "\U0001F600 .sublet", "e\u0301"}) {
        EXPECT_EQ(path_text(text_path(text)), text);
    }
    EXPECT_EQ(text_path("\u00E9"), std::filesystem::path(u8"\u00E9"));
    EXPECT_EQ(text_path("\U0001F600").native().size(), test::kWindows ? 2U : 4U);
    EXPECT_EQ(text_path("a/\u6F22/\u5B57.glb").filename(), text_path("\u5B57.glb"));
    EXPECT_EQ(path_text(text_path("a/\u6F22.b").extension()), ".b");
}

TEST(PathText, WhatIsNoUnicodeIsNotLostOnLinuxAndMarkedOnWindows) {
    const std::string bytes = "a\xFFz";
    EXPECT_EQ(path_text(text_path(bytes)), test::kWindows ? "a\uFFFDz" : bytes);
    const std::string cut = "\xE6\xBC";  // of three bytes
    EXPECT_EQ(path_text(text_path(cut)), test::kWindows ? "\uFFFD" : cut);
}

TEST(PathText, NamesFilesAlike) {
    const test::TemporaryFolder folder;
    test::write_text(folder.path() / text_path("\u6F22\u5B57"), "found");
    ASSERT_EQ(folder.entry_count(), 1);
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        EXPECT_EQ(path_text(entry.path().filename()), "\u6F22\u5B57");
        EXPECT_EQ(test::read_text(text_path(path_text(entry.path()))), "found");
    }
}

}  // namespace
}  // namespace sublet
