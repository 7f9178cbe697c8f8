#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace sublet {

int NewFile::create(const std::filesystem::path& path, bool& exists) {
    // Not mkstemp(): a new file gets the permissions that the user's mask gives it.
    handle_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error = is_open() ? 0 : errno;
    exists = error == EEXIST;
    path_ = path;
    return error;
}

int NewFile::open_at(const std::filesystem::path& path, std::uint64_t size) {
    handle_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    path_ = path;
    if (!is_open()) return errno;
    return ::ftruncate(static_cast<int>(handle_), static_cast<off_t>(size)) == 0 ? 0 : errno;
}

int NewFile::open_special(const std::filesystem::path& path) {
    handle_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    path_ = path;
    return is_open() ? 0 : errno;
}

void NewFile::copy_attributes(const std::filesystem::path& from) {
    struct stat status {};
    if (::stat(from.c_str(), &status) == 0) ::fchmod(static_cast<int>(handle_), status.st_mode & 07777);
}

int NewFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::size_t size = std::min(bytes.size(), std::size_t{1} << 30);
        const ssize_t written = ::write(static_cast<int>(handle_), bytes.data(), size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

int NewFile::close() {
    if (!is_open()) return 0;
    return ::close(static_cast<int>(std::exchange(handle_, kNone))) == 0 ? 0 : errno;
}

}  // namespace sublet
