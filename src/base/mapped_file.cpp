#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace sublet {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int error) {
    throw Error(path.string(), what, std::generic_category().message(error));
}

struct FileDescriptor {
    int value = -1;
    ~FileDescriptor() {
        if (value >= 0) ::close(value);
    }
};

}  // namespace

MappedFile::MappedFile(std::filesystem::path path) : path_(std::move(path)) {
    // O_NONBLOCK: a pipe without a writer would otherwise hold us here, before we can refuse it.
    const FileDescriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.value < 0) fail(path_, "cannot open", errno);
    struct stat status {};
    if (::fstat(file.value, &status) != 0) fail(path_, "cannot read", errno);
    if (S_ISDIR(status.st_mode)) throw Error(path_.string(), "", "is a directory, not a file");
    if (!S_ISREG(status.st_mode)) throw Error(path_.string(), "", "is not a regular file");
    if (status.st_size <= 0) throw Error(path_.string(), "", "is empty");
    if (static_cast<std::uintmax_t>(status.st_size) > std::numeric_limits<std::size_t>::max()) {
        fail(path_, "cannot map", EFBIG);
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value, 0);
    if (address == MAP_FAILED) fail(path_, "cannot map", errno);
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
