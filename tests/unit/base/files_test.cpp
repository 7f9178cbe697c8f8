#include "base/files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/path_text.h"
#include "temporary_folder.h"
#include "this_system.h"

namespace sublet {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using test::write_text;

TEST(Files, KindsAreTold) {
    const TemporaryFolder folder;
    write_text(folder / "file", "12345");
    int error = -1;
    EXPECT_EQ(path_kind(folder / "file", &error), PathKind::kFile);
    EXPECT_EQ(error, 0);
    EXPECT_EQ(path_kind(folder.path()), PathKind::kFolder);
    EXPECT_EQ(path_kind(folder.path() / ""), PathKind::kFolder) << "with a separator at its end";
    error = -1;
    EXPECT_EQ(path_kind(folder / "none", &error), PathKind::kNone);
    EXPECT_EQ(error, 0) << "that nothing is there is no error";
    EXPECT_EQ(path_kind(folder / "none/none"), PathKind::kNone);
    EXPECT_EQ(path_kind({}), PathKind::kNone);
    EXPECT_EQ(path_kind(test::kWindows ? "NUL" : "/dev/null"), PathKind::kSpecial);
    EXPECT_TRUE(path_exists(folder / "file"));
    EXPECT_TRUE(path_exists(folder.path()));
    EXPECT_FALSE(path_exists(folder / "none"));
    EXPECT_TRUE(is_file(folder / "file"));
    EXPECT_FALSE(is_file(folder.path()));
    EXPECT_TRUE(is_folder(folder.path()));
    EXPECT_FALSE(is_folder(folder / "file"));
}

TEST(Files, SizesAreThoseOfFilesAlone) {
    const TemporaryFolder folder;
    write_text(folder / "file", "12345");
    EXPECT_EQ(size_of_file(folder / "file"), 5U);
    EXPECT_EQ(size_of_file(folder.path()), 0U);
    EXPECT_EQ(size_of_file(folder / "none"), 0U);
}

TEST(Files, TheSameFileHasSeveralPaths) {
    const TemporaryFolder folder;
    write_text(folder / "inner/a", "same");
    write_text(folder / "b", "same");
    EXPECT_TRUE(same_file(folder / "inner/a", folder / "inner/../inner/a"));
    EXPECT_FALSE(same_file(folder / "inner/a", folder / "b"));
    EXPECT_FALSE(same_file(folder / "none", folder / "none"));
    EXPECT_FALSE(same_file(folder / "inner/a", folder / "none"));
    fs::create_hard_link(folder / "b", folder / "c");
    EXPECT_TRUE(same_file(folder / "b", folder / "c"));
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    EXPECT_TRUE(same_file("b", folder / "b"));
    fs::current_path(before);
}

TEST(Files, PathsBecomeAbsoluteFromTheCurrentFolderOn) {
    EXPECT_EQ(absolute_path("new/file").lexically_normal(), (fs::current_path() / "new/file").lexically_normal());
    EXPECT_TRUE(absolute_path("x").is_absolute());
    const fs::path absolute = fs::current_path() / "x";
    EXPECT_EQ(absolute_path(absolute), absolute);
}

TEST(Files, RealPathsAreOfWhatIsThere) {
    const TemporaryFolder folder;
    write_text(folder / "inner/File", "");
    const fs::path top = real_path(folder.path()).value();
    EXPECT_EQ(real_path(folder / "inner/../inner/./File"), top / "inner" / "File");
    EXPECT_EQ(real_path(folder / "inner"), top / "inner");
    EXPECT_EQ(real_path(top), top);
    int error = 0;
    EXPECT_FALSE(real_path(folder / "none", &error));
    EXPECT_EQ(error, test::kNoFile);
    EXPECT_TRUE(real_path(folder / "inner/File", &error));
    EXPECT_EQ(error, 0);
}

TEST(Files, FoldersAreMadeWithThoseAbove) {
    const TemporaryFolder folder;
    EXPECT_EQ(create_folders(folder / "a/é漢字/c"), 0);
    EXPECT_TRUE(is_folder(folder / "a/é漢字/c"));
    EXPECT_EQ(create_folders(folder / "a/é漢字/c"), 0) << "it is there";
    EXPECT_EQ(create_folders(folder / "b/"), 0);
    EXPECT_TRUE(is_folder(folder / "b"));
    write_text(folder / "file", "");
    EXPECT_NE(create_folders(folder / "file"), 0);
    EXPECT_NE(create_folders(folder / "file/inner"), 0);
    EXPECT_TRUE(is_file(folder / "file"));
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    EXPECT_EQ(create_folders("relative/inner"), 0);
    fs::current_path(before);
    EXPECT_TRUE(is_folder(folder / "relative/inner"));
}

TEST(Files, AreRemovedOnce) {
    const TemporaryFolder folder;
    write_text(folder / "file", "");
    EXPECT_EQ(remove_file(folder / "file"), 0);
    EXPECT_EQ(folder.entry_count(), 0);
    EXPECT_NE(remove_file(folder / "file"), 0) << "nothing is there";
}

TEST(Files, OneTakesThePlaceOfAnother) {
    const TemporaryFolder folder;
    write_text(folder / "to", "old");
    write_text(folder / "from", "new");
    EXPECT_EQ(replace_file(folder / "from", folder / "to"), 0);
    EXPECT_EQ(test::read_text(folder / "to"), "new");
    EXPECT_EQ(folder.entry_count(), 1);
    EXPECT_EQ(replace_file(folder / "to", folder / "elsewhere"), 0) << "where nothing was";
    EXPECT_EQ(test::read_text(folder / "elsewhere"), "new");
    EXPECT_EQ(folder.entry_count(), 1);
    EXPECT_NE(replace_file(folder / "none", folder / "elsewhere"), 0);
    EXPECT_EQ(test::read_text(folder / "elsewhere"), "new");
    write_text(folder / "inner/file", "");
    EXPECT_NE(replace_file(folder / "elsewhere", folder / "inner"), 0) << "a folder stays";
    EXPECT_EQ(folder.entry_count(), 2);
}

std::vector<ListedFile> listed(const fs::path& folder) {
    std::vector<ListedFile> files;
    EXPECT_EQ(list_folder(folder, files), 0);
    std::sort(files.begin(), files.end(),
              [](const ListedFile& a, const ListedFile& b) { return path_text(a.path) < path_text(b.path); });
    return files;
}

TEST(Files, AFolderIsListed) {
    const TemporaryFolder folder;
    EXPECT_TRUE(listed(folder.path()).empty());
    write_text(folder / "b", "12345");
    write_text(folder / "é漢字", "");
    write_text(folder / ".hidden", "1");
    fs::create_directory(folder / "a");
    const std::vector<ListedFile> files = listed(folder.path());
    ASSERT_EQ(files.size(), 4U);
    EXPECT_EQ(files[0].path, folder / ".hidden");
    EXPECT_EQ(files[1].path, folder / "a");
    EXPECT_EQ(files[1].kind, PathKind::kFolder);
    EXPECT_EQ(files[2].path, folder / "b");
    EXPECT_EQ(files[2].kind, PathKind::kFile);
    EXPECT_EQ(files[2].bytes, 5U);
    EXPECT_EQ(files[3].path, folder / "é漢字");
    EXPECT_EQ(files[3].bytes, 0U);
    std::vector<ListedFile> none;
    EXPECT_NE(list_folder(folder / "none", none), 0);
    EXPECT_NE(list_folder(folder / "b", none), 0);
    EXPECT_TRUE(none.empty());
}

TEST(Files, TouchingMakesAFileTheNewest) {
    const TemporaryFolder folder;
    write_text(folder / "a", "1");
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    write_text(folder / "b", "1");
    std::vector<ListedFile> files = listed(folder.path());
    EXPECT_LT(files[0].modified_ns, files[1].modified_ns);
    EXPECT_LT(files[1].modified_ns - files[0].modified_ns, 60'000'000'000) << "these are nanoseconds";
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_TRUE(touch_file(folder / "a"));
    files = listed(folder.path());
    EXPECT_GT(files[0].modified_ns, files[1].modified_ns);
    EXPECT_EQ(test::read_text(folder / "a"), "1");
    EXPECT_FALSE(touch_file(folder / "none"));
    EXPECT_EQ(folder.entry_count(), 2);
}

TEST(Files, AStampIsAnotherOneAfterAnyChange) {
    const TemporaryFolder folder;
    write_text(folder / "a", "first");
    const FileStamp first = file_stamp(folder / "a");
    EXPECT_EQ(first.size, 5U);
    EXPECT_EQ(file_stamp(folder / "a"), first);
    EXPECT_NE(first, FileStamp{});
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    write_text(folder / "a", "again");  // of the same size
    const FileStamp second = file_stamp(folder / "a");
    EXPECT_NE(second, first);
    write_text(folder / "b", "other");
    ASSERT_EQ(replace_file(folder / "b", folder / "a"), 0);
    EXPECT_NE(file_stamp(folder / "a"), second);
    EXPECT_NE(file_stamp(folder / "a").inode, second.inode);
    ASSERT_EQ(remove_file(folder / "a"), 0);
    EXPECT_EQ(file_stamp(folder / "a"), FileStamp{});
}

}  // namespace
}  // namespace sublet
