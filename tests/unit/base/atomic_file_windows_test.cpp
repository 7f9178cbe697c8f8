// Attributes, devices and files in use, as Windows has them.
#include <gtest/gtest.h>
#include <windows.h>

#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "temporary_folder.h"

namespace sublet {
namespace {

using test::message_of;
using test::read_text;
using test::TemporaryFolder;

DWORD attributes_of(const std::filesystem::path& path) {
    return ::GetFileAttributesW(path.c_str());
}

// Open with these rights, of which others may have those.
class Held {
  public:
    Held(const std::filesystem::path& path, DWORD access, DWORD shared)
        : handle_(::CreateFileW(path.c_str(), access, shared, nullptr, OPEN_EXISTING, 0, nullptr)) {
        EXPECT_NE(handle_, INVALID_HANDLE_VALUE) << ::GetLastError();
    }
    ~Held() { ::CloseHandle(handle_); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

  private:
    HANDLE handle_;
};

TEST(AtomicFileOnWindows, KeepsAttributes) {
    const TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    ASSERT_NE(::SetFileAttributesW((folder / "out").c_str(), FILE_ATTRIBUTE_HIDDEN), 0);
    write_file(folder / "out", "new");
    EXPECT_NE(attributes_of(folder / "out") & FILE_ATTRIBUTE_HIDDEN, 0U);
    EXPECT_EQ(read_text(folder / "out"), "new");
    write_file(folder / "plain", "new");
    EXPECT_EQ(attributes_of(folder / "plain") & FILE_ATTRIBUTE_HIDDEN, 0U);
}

TEST(AtomicFileOnWindows, AReadOnlyFileStaysWhatItIs) {
    const TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    ASSERT_NE(::SetFileAttributesW((folder / "out").c_str(), FILE_ATTRIBUTE_READONLY), 0);
    const std::string message = message_of<Error>([&] { write_file(folder / "out", "new"); });
    EXPECT_EQ(message.find(path_text(folder / "out") + ": cannot "), 0U) << message;
    EXPECT_EQ(read_text(folder / "out"), "old");
    EXPECT_EQ(folder.entry_count(), 1) << "no temporary is left";
    EXPECT_NE(attributes_of(folder / "out") & FILE_ATTRIBUTE_READONLY, 0U);
    ::SetFileAttributesW((folder / "out").c_str(), FILE_ATTRIBUTE_NORMAL);
}

TEST(AtomicFileOnWindows, AFileThatNobodyMayReplaceStaysWhatItIs) {
    const TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    {
        const Held held(folder / "out", GENERIC_READ, FILE_SHARE_READ);
        const std::string message = message_of<Error>([&] { write_file(folder / "out", "new"); });
        EXPECT_EQ(message.find(path_text(folder / "out") + ": cannot put the new file in place: "), 0U) << message;
        EXPECT_EQ(read_text(folder / "out"), "old");
        EXPECT_EQ(folder.entry_count(), 1) << "no temporary is left";
    }
    write_file(folder / "out", "new");
    EXPECT_EQ(read_text(folder / "out"), "new");
}

TEST(AtomicFileOnWindows, AFileThatOthersLetGoIsReplaced) {
    const TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    const Held held(folder / "out", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE);
    write_file(folder / "out", "new");
    EXPECT_EQ(read_text(folder / "out"), "new");
}

TEST(AtomicFileOnWindows, NamesOfDevicesAreDevices) {
    const TemporaryFolder folder;
    for (const char* name : {"NUL", "nul", "NUL:"}) {
        write_file(name, "gone");
        EXPECT_EQ(path_kind(name), PathKind::kSpecial) << name;
    }
    EXPECT_EQ(folder.entry_count(), 0);
    EXPECT_THROW(MappedFile("NUL"), Error);
    EXPECT_THROW(MappedFile("CON"), Error);
}

// Where a folder is what a file is held to, no name leads to a device.
TEST(AtomicFileOnWindows, NoSceneOpensADevice) {
    const TemporaryFolder top;
    const std::filesystem::path folder = real_path(top.path()).value();
    for (const char* name : {"NUL", "CON", "COM1", "NUL.bin"}) EXPECT_THROW(MappedFile(folder / name, folder), Error);
    EXPECT_THROW(MappedFile(R"(\\.\NUL)", folder), OutsideFolder);
    EXPECT_THROW(MappedFile(R"(\\?\GLOBALROOT\Device\Null)", folder), OutsideFolder);
    test::write_text(folder / "a", "inside");
    EXPECT_THROW(MappedFile(folder / "a:stream", folder), Error) << "a stream beside the file's bytes";
}

// Wine's own way to a device of Linux that is always full.
TEST(AtomicFileOnWindows, AFullDiskIsAnError) {
    const std::filesystem::path full = "Z:/dev/full";
    if (!path_exists(full)) GTEST_SKIP() << "only under wine";
    const std::string message = message_of<Error>([&] { write_file(full, std::string(100'000, 'x')); });
    EXPECT_EQ(message.find(path_text(full) + ": cannot write: "), 0U) << message;
}

TEST(AtomicFileOnWindows, PathsHaveDrivesAndEitherSeparator) {
    const TemporaryFolder folder;
    const std::wstring forward = folder.path().generic_wstring() + L"/a";
    std::wstring backward = forward;
    for (wchar_t& c : backward) c = c == L'/' ? L'\\' : c;
    write_file(forward, "one");
    EXPECT_EQ(read_text(backward), "one");
    EXPECT_TRUE(same_file(forward, backward));
    EXPECT_EQ(forward[1], L':');
    write_file(LR"(\\?\)" + backward, "two");
    EXPECT_EQ(read_text(folder / "a"), "two");
    EXPECT_EQ(real_path(LR"(\\?\)" + backward), real_path(folder / "a")) << "without the mark";
    std::wstring upper = backward;
    upper.back() = L'A';
    EXPECT_TRUE(same_file(upper, backward)) << "letters' case is none";
    EXPECT_EQ(real_path(upper), real_path(backward)) << "in the letters that it was made with";
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const std::wstring rooted = backward.substr(2);  // of the current drive
    EXPECT_TRUE(is_file(rooted));
    EXPECT_TRUE(same_file(absolute_path(rooted), backward));
    EXPECT_TRUE(is_file(backward.substr(0, 2) + L"a")) << "in the drive's current folder";
    std::filesystem::current_path(before);
}

TEST(AtomicFileOnWindows, WhatNoFileCanBeCalledIsRefused) {
    const TemporaryFolder folder;
    for (const char* name : {"a?b", "a*b", "a|b", "a<b", "a\"b"}) {
        EXPECT_THROW(write_file(folder / name, "x"), Error) << name;
        EXPECT_FALSE(path_exists(folder / name)) << name;
    }
    EXPECT_EQ(folder.entry_count(), 0);
}

}  // namespace
}  // namespace sublet
