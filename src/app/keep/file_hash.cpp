#include "app/keep/file_hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/thread_pool.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sublet::app {

namespace {

// A part is hashed by one thread. Parts are hashed alone, and a file's hash is that of its parts' hashes.
constexpr std::size_t kPart = std::size_t{1} << 20U;

using Digest = std::array<unsigned char, sizeof(XXH128_canonical_t)>;

Digest digest(const void* bytes, std::size_t size) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    Digest out{};
    std::memcpy(out.data(), canonical.digest, out.size());
    return out;
}

std::string hexadecimal(const Digest& digest) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : digest) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

// A regular file, open for reading. Read, and not mapped: a file that somebody shortens meanwhile would end us.
class OpenFile {
  public:
    explicit OpenFile(const std::filesystem::path& path)
        : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (file_ < 0) fail(errno);
        struct stat status {};
        if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
            ::close(file_);
            throw Error(path_.string(), "", "is not a regular file");
        }
        size_ = static_cast<std::uint64_t>(status.st_size);
    }
    ~OpenFile() { ::close(file_); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    [[nodiscard]] std::uint64_t size() const { return size_; }

    void read(char* to, std::size_t size, std::uint64_t offset) const {
        while (size > 0) {
            const ssize_t got = ::pread(file_, to, size, static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail(errno);
            if (got == 0) throw Error(path_.string(), "", "became shorter while it was read");
            to += got;
            size -= static_cast<std::size_t>(got);
            offset += static_cast<std::uint64_t>(got);
        }
    }

  private:
    [[noreturn]] void fail(int error) const {
        throw Error(path_.string(), "cannot read", std::generic_category().message(error));
    }

    std::filesystem::path path_;
    int file_;
    std::uint64_t size_ = 0;
};

}  // namespace

std::string hash_text(std::string_view text) {
    return hexadecimal(digest(text.data(), text.size()));
}

std::string hash_file(const std::filesystem::path& path, ThreadPool& pool) {
    const OpenFile file(path);
    const std::size_t parts = static_cast<std::size_t>((file.size() + kPart - 1) / kPart);
    std::vector<Digest> digests(parts);
    pool.parallel_for(parts, 1, [&](std::size_t begin, std::size_t end) {
        thread_local std::vector<char> bytes(kPart);
        for (std::size_t part = begin; part < end; ++part) {
            const std::uint64_t offset = std::uint64_t{part} * kPart;
            const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(kPart, file.size() - offset));
            file.read(bytes.data(), size, offset);
            digests[part] = digest(bytes.data(), size);
        }
    });
    return hexadecimal(digest(digests.data(), digests.size() * sizeof(Digest)));
}

FileStamp file_stamp(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    const auto nanoseconds = [](const timespec& time) {
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    };
    return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_ctim),
            nanoseconds(status.st_mtim)};
}

}  // namespace sublet::app
