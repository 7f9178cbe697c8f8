#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <thread>

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

}  // namespace sublet
