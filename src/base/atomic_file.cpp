#include "base/atomic_file.h"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"

namespace sublet {
namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;

// Behind it are digits alone.
constexpr std::string_view kTemporary = ".sublet-part";
constexpr std::size_t kMostDigits = 10;
constexpr std::size_t kShortName = 40;  // bytes of the target's name that a temporary name keeps, at least

// A name for what becomes `target`, in the same folder: no longer than the target's own where that is long, since file
// systems limit names.
std::filesystem::path temporary_name(const std::filesystem::path& target, std::uint32_t number) {
    constexpr std::size_t kMore = kTemporary.size() + kMostDigits;
    std::string name = path_text(target.filename());
    std::size_t kept = std::max(name.size(), kShortName + kMore) - kMore;
    // Letters stay whole: all bytes of UTF-8 but a letter's first start so.
    while (kept > 0 && kept < name.size() && (static_cast<unsigned char>(name[kept]) & 0xC0U) == 0x80U) --kept;
    name.resize(std::min(name.size(), kept));
    std::filesystem::path temporary = target;
    return temporary.replace_filename(text_path(name + std::string(kTemporary) + std::to_string(number)));
}

bool is_temporary(std::string_view name) {
    const std::size_t at = name.rfind(kTemporary);
    if (at == std::string_view::npos) return false;
    const std::string_view digits = name.substr(at + kTemporary.size());
    return !digits.empty() && digits.size() <= kMostDigits &&
           digits.find_first_not_of("0123456789") == std::string_view::npos;
}

// What processes left that were killed while they wrote. Once for each folder: large ones take time to list.
void remove_leftovers(const std::filesystem::path& folder) {
    static std::mutex mutex;
    static std::set<std::filesystem::path> known;
    {
        const std::lock_guard lock(mutex);
        if (!known.insert(absolute_path(folder)).second) return;
    }
    std::vector<ListedFile> files;
    static_cast<void>(list_folder(folder, files));
    for (const ListedFile& file : files) {
        if (file.kind != PathKind::kFile || !is_temporary(path_text(file.path.filename()))) continue;
        const FileMark mark(file.path);
        if (mark.state() == FileMark::State::kHeld) static_cast<void>(remove_file(file.path));
    }
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), target_(path_) {
    if (path_.empty()) throw Error("cannot write a file: its name is empty");

    int error = 0;
    const PathKind kind = path_kind(path_, &error);
    if (error != 0) throw_system(path_, "cannot write", error);
    if (kind == PathKind::kFolder) throw Error(path_text(path_), "cannot write", "this is a directory");
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
    remove_leftovers(folder);
    std::random_device random;
    for (int attempt = 0; !file_.is_open(); ++attempt) {
        temporary_ = temporary_name(target_, random());
        remove_on_signal_ = RemoveOnSignal(temporary_);  // before it is there: no moment is left to a signal
        bool exists = false;
        error = file_.create(temporary_, exists);
        if (error != 0 && (!exists || attempt == 100)) {
            temporary_.clear();
            remove_on_signal_ = {};
            throw_system(path_, "cannot write", error);
        }
        if (error != 0) continue;
        mark_ = FileMark(temporary_);
        // Another process took it for a leftover before it was marked.
        if (mark_.state() == FileMark::State::kTaken && attempt < 100) static_cast<void>(file_.close());
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
    mark_ = {};
    remove_on_signal_ = {};
}

void AtomicFile::discard() noexcept {
    static_cast<void>(file_.close());
    if (!temporary_.empty()) static_cast<void>(remove_file(temporary_));
    temporary_.clear();
    mark_ = {};
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
