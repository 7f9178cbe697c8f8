#include "base/open_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "base/path_text.h"
#include "base/posix/signals.h"

namespace sublet {
namespace {

constexpr const char* kOutside = "lies outside of the folder";

// O_NONBLOCK: a pipe without a writer would otherwise hold us, before we can refuse it.
constexpr int kReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

struct Descriptor {
    int value = -1;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
};

std::int64_t time_written(const struct stat& status) {
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

// And when it was last written to.
std::uint64_t regular_size(const std::filesystem::path& path, int file, std::int64_t& written) {
    struct stat status {};
    if (::fstat(file, &status) != 0) throw_system(path, "cannot read", errno);
    if (S_ISDIR(status.st_mode)) throw Error(path_text(path), "", "this is a directory, not a file");
    if (!S_ISREG(status.st_mode)) throw Error(path_text(path), "", "this is not a regular file");
    written = time_written(status);
    return static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path) : path_(path), handle_(-1) {
    Descriptor file{::open(path_.c_str(), kReading)};
    if (file.value < 0) throw_system(path_, "cannot open", errno);
    size_ = regular_size(path_, file.value, written_);
    handle_ = std::exchange(file.value, -1);
}

OpenFile::OpenFile(const std::filesystem::path& path, const std::filesystem::path& folder) : path_(path), handle_(-1) {
    if (!is_within(path_.lexically_normal(), folder)) throw OutsideFolder(path_text(path_), "", kOutside);
    // The file is found first, not yet opened. Where it lies is asked of what was found: nobody can exchange that.
    const Descriptor found{::open(path_.c_str(), O_PATH | O_CLOEXEC)};
    if (found.value < 0) throw_system(path_, "cannot open", errno);
    const std::string link = "/proc/self/fd/" + std::to_string(found.value);
    std::error_code error;
    const std::filesystem::path place = std::filesystem::read_symlink(link, error);
    if (error) throw_system(path_, "cannot tell where it lies", error.value());
    if (!is_within(place, folder)) throw OutsideFolder(path_text(path_), "", kOutside);
    size_ = regular_size(path_, found.value, written_);
    handle_ = ::open(link.c_str(), kReading);
    if (handle_ < 0) throw_system(path_, "cannot open", errno);
}

OpenFile::~OpenFile() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

void OpenFile::require_unchanged() const {
    struct stat status {};
    if (::fstat(static_cast<int>(handle_), &status) != 0) throw_system(path_, "cannot read", errno);
    const bool same = static_cast<std::uint64_t>(status.st_size) == size_ && time_written(status) == written_;
    if (!same) throw Error(path_text(path_), "", "the file was changed while it was read");
}

void OpenFile::read(std::span<std::byte> to, std::uint64_t offset) const {
    while (!to.empty()) {
        const ssize_t got = ::pread(static_cast<int>(handle_), to.data(), to.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw_system(path_, "cannot read", errno);
        if (got == 0) throw Error(path_text(path_), "", "the file became shorter while it was read");
        to = to.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
}

std::span<const std::byte> OpenFile::map() const {
    if (size_ == 0) throw Error(path_text(path_), "", "the file is empty");
    if (size_ > std::numeric_limits<std::size_t>::max()) throw_system(path_, "cannot map", EFBIG);
    const auto size = static_cast<std::size_t>(size_);
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, static_cast<int>(handle_), 0);
    if (address == MAP_FAILED) throw_system(path_, "cannot map", errno);
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(address), size);
    note_mapping(bytes, path_);
    return bytes;
}

void unmap_file(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty()) return;
    forget_mapping(bytes);
    ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
}

}  // namespace sublet
