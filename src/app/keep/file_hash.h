// Hashes of files, by which what was made of them is found again.
#pragma once

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

}  // namespace sublet::app
