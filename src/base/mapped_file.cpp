#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace sublet {
namespace {

constexpr const char* kOutside = "lies outside of the folder";

// O_NONBLOCK: a pipe without a writer would otherwise hold us, before we can refuse it.
constexpr int kReading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

struct FileDescriptor {
    int value = -1;
    ~FileDescriptor() {
        if (value >= 0) ::close(value);
    }
};

std::size_t regular_size(const std::filesystem::path& path, int file) {
    struct stat status {};
    if (::fstat(file, &status) != 0) throw_errno(path, "cannot read", errno);
    if (S_ISDIR(status.st_mode)) throw Error(path.string(), "", "is a directory, not a file");
    if (!S_ISREG(status.st_mode)) throw Error(path.string(), "", "is not a regular file");
    if (status.st_size <= 0) throw Error(path.string(), "", "is empty");
    if (static_cast<std::uintmax_t>(status.st_size) > std::numeric_limits<std::size_t>::max()) {
        throw_errno(path, "cannot map", EFBIG);
    }
    return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
    const FileDescriptor file{::open(path_.c_str(), kReading)};
    if (file.value < 0) throw_errno(path_, "cannot open", errno);
    map(file.value, regular_size(path_, file.value));
}

MappedFile::MappedFile(std::filesystem::path path, const std::filesystem::path& folder) : path_(std::move(path)) {
    if (!is_within(path_.lexically_normal(), folder)) throw OutsideFolder(path_.string(), "", kOutside);
    // The file is found first, not yet opened. Where it lies is asked of what was found: nobody can exchange that.
    const FileDescriptor found{::open(path_.c_str(), O_PATH | O_CLOEXEC)};
    if (found.value < 0) throw_errno(path_, "cannot open", errno);
    const std::string link = "/proc/self/fd/" + std::to_string(found.value);
    std::error_code error;
    const std::filesystem::path place = std::filesystem::read_symlink(link, error);
    if (error) throw_errno(path_, "cannot tell where it lies", error.value());
    if (!is_within(place, folder)) throw OutsideFolder(path_.string(), "", kOutside);
    const std::size_t size = regular_size(path_, found.value);
    const FileDescriptor file{::open(link.c_str(), kReading)};
    if (file.value < 0) throw_errno(path_, "cannot open", errno);
    map(file.value, size);
}

void MappedFile::map(int file, std::size_t size) {
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) throw_errno(path_, "cannot map", errno);
    bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
    unmap();
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    if (this != &other) {
        unmap();
        path_ = std::move(other.path_);
        bytes_ = std::exchange(other.bytes_, {});
    }
    return *this;
}

void MappedFile::unmap() noexcept {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    bytes_ = {};
}

}  // namespace sublet
