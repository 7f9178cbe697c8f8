#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace sublet {

FileLock::FileLock(const std::filesystem::path& file)
    : handle_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    const int descriptor = static_cast<int>(handle_);
    for (int i = 0; descriptor >= 0 && i < 50 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

FileLock::~FileLock() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

FileMark::FileMark(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    handle_ = descriptor;
    if (descriptor < 0) {
        state_ = errno == ENOENT ? State::kTaken : State::kUnknown;
        return;
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        state_ = errno == EWOULDBLOCK ? State::kTaken : State::kUnknown;
        return;
    }
    // Whoever had it may have removed the file before letting go.
    struct stat status {};
    state_ = ::fstat(descriptor, &status) == 0 && status.st_nlink == 0 ? State::kTaken : State::kHeld;
}

FileMark::~FileMark() {
    if (handle_ >= 0) ::close(static_cast<int>(handle_));
}

FileMark::FileMark(FileMark&& other) noexcept
    : state_(std::exchange(other.state_, State::kNone)), handle_(std::exchange(other.handle_, -1)) {}

FileMark& FileMark::operator=(FileMark&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(handle_, other.handle_);
    return *this;
}

}  // namespace sublet
