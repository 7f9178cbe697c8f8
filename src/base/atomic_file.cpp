#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace sublet {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), target_(path_) {
    if (path_.empty()) throw Error("cannot write a file: its name is empty");

    mode_t mode = 0;
    struct stat status {};
    if (::stat(path_.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) throw Error(path_.string(), "cannot write", "is a directory");
        if (!S_ISREG(status.st_mode)) {
            file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
            if (file_ < 0) throw_errno(path_, "cannot write", errno);
            return;
        }
        mode = status.st_mode & 07777;
        std::error_code error;
        target_ = std::filesystem::canonical(path_, error);
        if (error) throw Error(path_.string(), "cannot write", error.message());
    } else if (errno != ENOENT) {
        throw_errno(path_, "cannot write", errno);
    }

    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
        throw Error(path_.string(), "cannot write", "there is no folder " + folder.string());
    }
    // open() rather than mkstemp(): a new file gets the permissions that the user's mask gives it.
    std::random_device random;
    for (int attempt = 0; file_ < 0; ++attempt) {
        temporary_ = target_;
        temporary_ += ".part" + std::to_string(random());
        remove_on_signal_ = RemoveOnSignal(temporary_);  // before it is there: no moment is left to a signal
        file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ < 0 && (errno != EEXIST || attempt == 100)) {
            const int reason = errno;
            temporary_.clear();
            remove_on_signal_ = {};
            throw_errno(path_, "cannot write", reason);
        }
    }
    if (mode != 0) ::fchmod(file_, mode);  // Best effort: the content matters more.
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (file_ < 0) throw Error(path_.string(), "cannot write", "the file is closed already");
    if (buffer_.size() + bytes.size() > kBufferSize) flush();
    if (bytes.size() >= kBufferSize) {
        write_all(bytes);
    } else if (!bytes.empty()) {
        buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    position_ += bytes.size();
}

void AtomicFile::flush() {
    write_all(std::as_bytes(std::span(buffer_)));
    buffer_.clear();
}

void AtomicFile::write_all(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), std::min(bytes.size(), std::size_t{1} << 30));
        if (written < 0) {
            if (errno == EINTR) continue;
            const int reason = errno;
            discard();
            throw_errno(path_, "cannot write", reason);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    if (file_ < 0) throw Error(path_.string(), "cannot write", "the file is closed already");
    flush();
    // A network file system may report a failed write only here.
    if (::close(std::exchange(file_, -1)) != 0) {
        const int reason = errno;
        discard();
        throw_errno(path_, "cannot write", reason);
    }
    if (temporary_.empty()) return;
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
        const int reason = errno;
        discard();
        throw_errno(path_, "cannot put the new file in place", reason);
    }
    temporary_.clear();
    remove_on_signal_ = {};
}

void AtomicFile::discard() noexcept {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
    remove_on_signal_ = {};
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace sublet
