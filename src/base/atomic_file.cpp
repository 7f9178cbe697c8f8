#include "base/atomic_file.h"

#include <random>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), target_(path_) {
    if (path_.empty()) throw Error("cannot write a file: its name is empty");

    int error = 0;
    const PathKind kind = path_kind(path_, &error);
    if (error != 0) throw_system(path_, "cannot write", error);
    if (kind == PathKind::kFolder) throw Error(path_text(path_), "cannot write", "is a directory");
    if (kind == PathKind::kSpecial) {
        if (error = file_.open_special(path_); error != 0) throw_system(path_, "cannot write", error);
        return;
    }
    if (kind == PathKind::kFile) {
        const std::optional<std::filesystem::path> place = real_path(path_, &error);
        if (!place) throw_system(path_, "cannot write", error);
        target_ = *place;
    }

    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    if (!is_folder(folder)) throw Error(path_text(path_), "cannot write", "there is no folder " + path_text(folder));
    std::random_device random;
    for (int attempt = 0; !file_.is_open(); ++attempt) {
        temporary_ = target_;
        temporary_ += ".part" + std::to_string(random());
        remove_on_signal_ = RemoveOnSignal(temporary_);  // before it is there: no moment is left to a signal
        bool exists = false;
        error = file_.create(temporary_, exists);
        if (error != 0 && (!exists || attempt == 100)) {
            temporary_.clear();
            remove_on_signal_ = {};
            throw_system(path_, "cannot write", error);
        }
    }
    if (kind == PathKind::kFile) file_.copy_attributes(target_);
}

AtomicFile::~AtomicFile() {
    discard();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    if (!file_.is_open()) throw Error(path_text(path_), "cannot write", "the file is closed already");
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
    if (const int error = file_.write(bytes); error != 0) {
        discard();
        throw_system(path_, "cannot write", error);
    }
}

void AtomicFile::commit() {
    if (!file_.is_open()) throw Error(path_text(path_), "cannot write", "the file is closed already");
    flush();
    if (const int error = file_.close(); error != 0) {
        discard();
        throw_system(path_, "cannot write", error);
    }
    if (temporary_.empty()) return;
    if (const int error = replace_file(temporary_, target_); error != 0) {
        discard();
        throw_system(path_, "cannot put the new file in place", error);
    }
    temporary_.clear();
    remove_on_signal_ = {};
}

void AtomicFile::discard() noexcept {
    static_cast<void>(file_.close());
    if (!temporary_.empty()) static_cast<void>(remove_file(temporary_));
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
