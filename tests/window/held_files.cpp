// A stand-in for file systems that are slow or broken, for LD_PRELOAD. What opens or reads a file with "held" in its
// name waits while the file is there that the environment's SUBLET_HOLD names; meanwhile there is one with ".reached"
// behind that name. While there is one with ".broken" behind it, reading fails (EIO).
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

bool is_held(const char* path) {
    return std::string(path).find("held") != std::string::npos;
}

bool is_held(int file) {
    std::array<char, 4096> path{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    return file >= 0 && ::readlink(link.c_str(), path.data(), path.size() - 1) > 0 && is_held(path.data());
}

std::string switch_file() {
    const char* const name = std::getenv("SUBLET_HOLD");
    return name == nullptr ? "/nowhere" : name;
}

int open_file(const char* path, int flags, mode_t mode) {
    return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

bool there(const std::string& path) {
    return ::access(path.c_str(), F_OK) == 0;
}

void wait() {
    const std::string hold = switch_file();
    if (!there(hold)) return;
    ::close(open_file((hold + ".reached").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    while (there(hold)) {
        const timespec a_while{0, 10'000'000};
        ::nanosleep(&a_while, nullptr);
    }
}

bool broken() {
    if (!there(switch_file() + ".broken")) return false;
    errno = EIO;
    return true;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    if (is_held(path)) wait();
    return open_file(path, flags, mode);
}

ssize_t pread(int file, void* bytes, size_t size, off_t offset) {
    if (is_held(file)) {
        wait();
        if (broken()) return -1;
    }
    return ::syscall(SYS_pread64, file, bytes, size, offset);
}

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
    if (is_held(file)) {
        wait();
        if (broken()) return MAP_FAILED;
    }
    return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, file, offset));
}

}  // extern "C"
