// Links, permissions and signals, as POSIX has them.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "temporary_folder.h"

namespace sublet {
namespace {

using test::message_of;
using test::read_text;

TEST(AtomicFile, FollowsLinksAndKeepsPermissions) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "inner/real", "old");
    ASSERT_EQ(::chmod((folder / "inner/real").c_str(), 0640), 0);
    std::filesystem::create_symlink("inner/real", folder / "link");
    write_file(folder / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_text(folder / "inner/real"), "new");
    struct stat status {};
    ASSERT_EQ(::stat((folder / "inner/real").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST(AtomicFile, WritesNamesAsLongAsTheSystemHas) {
    const test::TemporaryFolder folder;
    std::string letters;
    for (int i = 0; i < 127; ++i) letters += "\u00E4";
    for (const std::string& name : {std::string(255, 'x'), letters + "y", "y" + letters, std::string("a")}) {
        AtomicFile file(folder / name);
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            const std::string temporary = entry.path().filename().string();
            EXPECT_LE(temporary.size(), 255U);
            EXPECT_NE(temporary.find(".sublet-part"), std::string::npos) << temporary;
            EXPECT_EQ(temporary.substr(0, 1), name.substr(0, 1));
        }
        file.write("text");
        file.commit();
        EXPECT_EQ(read_text(folder / name), "text");
        std::filesystem::remove(folder / name);
    }
}

TEST(AtomicFile, WritesStraightToADevice) {
    write_file("/dev/null", "gone");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, KeepsTheOldContentWhenTheDiskIsFull) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "out", "old");
    // A limit on the size of files stands for a full disk.
    struct rlimit previous {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &previous), 0);
    const struct rlimit limit { 1 << 16, previous.rlim_max };
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    const std::string message =
        message_of<Error>([&] { write_file(folder / "out", std::string(std::size_t{4} << 20, 'x')); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &previous), 0);
    std::signal(SIGXFSZ, old_handler);
    EXPECT_EQ(message, (folder / "out").string() + ": cannot write: File too large");
    EXPECT_EQ(read_text(folder / "out"), "old");
    EXPECT_EQ(folder.entry_count(), 1);
}

// Runs `child` in a process of its own; its status as waitpid() has it.
template <typename Child>
int status_of(const Child& child) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        child();
        ::_exit(0);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return status;
}

TEST(AtomicFile, LeavesNothingWhenASignalEndsTheProcess) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) {
        const test::TemporaryFolder folder;
        test::write_text(folder / "first", "old");
        const int status = status_of([&] {
            std::signal(signal, SIG_DFL);  // where the tests run under nohup
            AtomicFile first(folder / "first");
            AtomicFile second(folder / "second");
            first.write(std::string(std::size_t{3} << 20, 'x'));
            if (folder.entry_count() != 3) ::_exit(2);
            ::raise(signal);
        });
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << signal << ": " << status;
        EXPECT_EQ(folder.entry_count(), 1) << signal;
        EXPECT_EQ(read_text(folder / "first"), "old");
    }
}

TEST(AtomicFile, LeavesSignalsAsTheyAre) {
    const test::TemporaryFolder folder;
    const int ignored = status_of([&] {
        std::signal(SIGHUP, SIG_IGN);  // as nohup does
        AtomicFile file(folder / "out");
        ::raise(SIGHUP);
        file.write("whole");
        file.commit();
    });
    EXPECT_EQ(ignored, 0);
    EXPECT_EQ(read_text(folder / "out"), "whole");
    const auto action = [] {
        struct sigaction current {};
        ::sigaction(SIGTERM, nullptr, &current);
        return current.sa_handler;
    };
    ASSERT_EQ(action(), SIG_DFL);
    {
        AtomicFile file(folder / "out");
        EXPECT_NE(action(), SIG_DFL);
    }
    EXPECT_EQ(action(), SIG_DFL) << "when no file is being written, nothing is handled";
    const int later = status_of([&] {
        write_file(folder / "done", "done");
        AtomicFile file(folder / "half");
        ::raise(SIGTERM);
    });
    EXPECT_TRUE(WIFSIGNALED(later));
    EXPECT_EQ(read_text(folder / "done"), "done") << "what is in place stays";
    EXPECT_EQ(folder.entry_count(), 2);
}

// A process looks for leftovers when it writes into a folder for the first time.
TEST(AtomicFile, RemovesWhatAKilledProcessLeftAndNothingElse) {
    const test::TemporaryFolder folder;
    const int status = status_of([&] {
        const AtomicFile file(folder / "a");
        ::kill(::getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(folder.entry_count(), 1) << "the leftover";
    for (const char* name : {"a.part1", "a.sublet-part", "a.sublet-part12x", "a.sublet-part12.txt"}) {
        test::write_text(folder / name, "of the user");
    }
    // Another process writes the same file, and is at it while this one looks.
    int begun[2];
    int go_on[2];
    ASSERT_EQ(::pipe(begun) + ::pipe(go_on), 0);
    const pid_t other = ::fork();
    if (other == 0) {
        char byte = 0;
        AtomicFile file(folder / "a");
        const bool told = ::write(begun[1], &byte, 1) == 1 && ::read(go_on[0], &byte, 1) == 1;
        file.write("other");
        file.commit();
        ::_exit(told ? 0 : 1);
    }
    char byte = 0;
    EXPECT_EQ(::read(begun[0], &byte, 1), 1);
    EXPECT_EQ(folder.entry_count(), 5) << "its file, and those of the user: the leftover is gone";
    write_file(folder / "a", "this");
    EXPECT_EQ(read_text(folder / "a"), "this");
    EXPECT_EQ(folder.entry_count(), 6);
    EXPECT_EQ(::write(go_on[1], &byte, 1), 1);
    int ended = 0;
    EXPECT_EQ(::waitpid(other, &ended, 0), other);
    EXPECT_TRUE(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    EXPECT_EQ(read_text(folder / "a"), "other");
    EXPECT_EQ(folder.entry_count(), 5);
    for (const int descriptor : {begun[0], begun[1], go_on[0], go_on[1]}) ::close(descriptor);
}

}  // namespace
}  // namespace sublet
