// Hashes of files, by which what was made of them is found again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sublet {
class ThreadPool;
}

namespace sublet::app {

// 128 bits (XXH3) as 32 hexadecimal digits. Fast, and enough to tell by accident equal ones apart; it keeps nobody from
// making two texts with the same hash on purpose.
[[nodiscard]] std::string hash_text(std::string_view text);
// Of a file's bytes, by all cores of `pool`. Throws Error when it can't be read, is no regular file, or changes its
// size meanwhile.
[[nodiscard]] std::string hash_file(const std::filesystem::path& path, ThreadPool& pool);

// What a file system tells of a file without reading it: another one, once the file was written to or replaced.
struct FileStamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t changed_ns = 0, modified_ns = 0;

    bool operator==(const FileStamp&) const = default;
};

// All 0 for a file that is not there.
[[nodiscard]] FileStamp file_stamp(const std::filesystem::path& path);

}  // namespace sublet::app
