// What a process may still take, as Linux tells of it.
#include "base/free_memory.h"

#include <gtest/gtest.h>

#include <limits>

#include "temporary_folder.h"

namespace sublet {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;

// A machine of which the system tells in files, as Linux does.
class FreeMemoryOfLinux : public testing::Test {
  protected:
    void write(const std::filesystem::path& file, const std::string& text) {
        std::filesystem::create_directories((folder_ / file).parent_path());
        test::write_text(folder_ / file, text);
    }
    void SetUp() override {
        write("proc/meminfo",
              "MemTotal: 8388608 kB\nMemFree: 1024 kB\nMemAvailable: 4194304 kB\nSwapFree: 1048576 kB\n");
    }
    [[nodiscard]] std::uint64_t mib() const { return free_memory_bytes(folder_.path()) / kMiB; }

    test::TemporaryFolder folder_;
};

TEST_F(FreeMemoryOfLinux, IsWhatIsAvailableAndCanBeSwapped) {
    EXPECT_EQ(mib(), 5120U);
}

TEST_F(FreeMemoryOfLinux, HasNoEndWhereTheSystemDoesNotTell) {
    write("proc/meminfo", "MemTotal: 8388608 kB\n");
    EXPECT_EQ(free_memory_bytes(folder_.path()), std::numeric_limits<std::uint64_t>::max());
}

TEST_F(FreeMemoryOfLinux, IsHeldToTheGroup) {
    write("proc/self/cgroup", "0::/jobs/one\n");
    EXPECT_EQ(mib(), 5120U) << "no such group is told of";
    write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
    write("sys/fs/cgroup/jobs/one/memory.current", "104857600\n");
    EXPECT_EQ(mib(), 5120U);
    write("sys/fs/cgroup/jobs/one/memory.max", "1073741824\n");
    EXPECT_EQ(mib(), 924U);
    write("sys/fs/cgroup/jobs/one/memory.stat",
          "anon 1\nfile 83886080\ninactive_file 41943040\nactive_file 10485760\n");
    EXPECT_EQ(mib(), 974U) << "copies of files make room";
    write("sys/fs/cgroup/jobs/memory.max", "209715200\n");
    write("sys/fs/cgroup/jobs/memory.current", "178257920\n");
    EXPECT_EQ(mib(), 30U) << "and the group that it is in";
    write("sys/fs/cgroup/memory.max", "1048576\n");
    write("sys/fs/cgroup/memory.current", "2097152\n");
    EXPECT_EQ(mib(), 0U);
}

TEST_F(FreeMemoryOfLinux, IsHeldToTheGroupOfTheFirstVersion) {
    write("proc/self/cgroup", "3:cpu,cpuacct:/x\n2:hugetlb,memory:/jobs\n1:name=systemd:/\n");
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "1073741824\n");
    write("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "104857600\n");
    write("sys/fs/cgroup/memory/jobs/memory.stat", "inactive_file 0\ntotal_inactive_file 52428800\n");
    EXPECT_EQ(mib(), 974U);
}

}  // namespace
}  // namespace sublet
