#include "base/free_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace sublet {
namespace {

namespace fs = std::filesystem;

// The number that follows `name` at the start of a line: "MemAvailable:  1234 kB", "inactive_file 1234". 0 without one.
std::uint64_t field_of(const fs::path& file, const std::string& name) {
    std::ifstream in(file);
    for (std::string word, rest; in >> word; std::getline(in, rest)) {
        std::uint64_t number = 0;
        if (word == name && in >> number) return number;
    }
    return 0;
}

// Nothing for "max", and where there is no such file.
std::optional<std::uint64_t> number_in(const fs::path& file) {
    std::ifstream in(file);
    std::uint64_t number = 0;
    return in >> number ? std::optional(number) : std::nullopt;
}

// How control groups tell of their memory, in their two versions.
struct GroupFiles {
    const char* folder;
    const char* limit;
    const char* usage;
    const char* inactive_file;
    const char* active_file;
};
constexpr GroupFiles kVersion1{"sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file", "total_active_file"};
constexpr GroupFiles kVersion2{"sys/fs/cgroup", "memory.max", "memory.current", "inactive_file", "active_file"};

std::uint64_t room_in(const fs::path& group, const GroupFiles& files) {
    const std::optional<std::uint64_t> limit = number_in(group / files.limit);
    const std::optional<std::uint64_t> usage = number_in(group / files.usage);
    if (!limit || !usage) return std::numeric_limits<std::uint64_t>::max();
    // Copies of files count as used, and go when memory is wanted.
    const fs::path stat = group / "memory.stat";
    const std::uint64_t copies = field_of(stat, files.inactive_file) + field_of(stat, files.active_file);
    const std::uint64_t used = *usage - std::min(*usage, copies);
    return *limit - std::min(*limit, used);
}

// Of a group and of all that it is in.
std::uint64_t least_room(const fs::path& root, std::string group, const GroupFiles& files) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (;;) {
        const std::string below = group.empty() || group.front() != '/' ? group : group.substr(1);
        least = std::min(least, room_in(root / files.folder / below, files));
        if (below.empty()) return least;
        const std::size_t slash = group.rfind('/');
        group.erase(slash == std::string::npos ? 0 : slash);
    }
}

}  // namespace

std::uint64_t free_memory_bytes(const fs::path& root) {
    const fs::path memory = root / "proc/meminfo";
    std::uint64_t least = (field_of(memory, "MemAvailable:") + field_of(memory, "SwapFree:")) * 1024;
    if (least == 0) least = std::numeric_limits<std::uint64_t>::max();  // a system that does not tell
    // Lines are "number:controllers:group"; version 2 has one, with number 0 and no controllers.
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const std::string group = line.substr(second + 1);
        if (controllers == ",,") least = std::min(least, least_room(root, group, kVersion2));
        if (controllers.find(",memory,") != std::string::npos) {
            least = std::min(least, least_room(root, group, kVersion1));
        }
    }
    return least;
}

}  // namespace sublet
