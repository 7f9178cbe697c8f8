#include "base/files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace sublet {

namespace fs = std::filesystem;

namespace {

PathKind kind_of(const fs::file_status& status) {
    if (!fs::exists(status)) return PathKind::kNone;
    if (fs::is_regular_file(status)) return PathKind::kFile;
    return fs::is_directory(status) ? PathKind::kFolder : PathKind::kSpecial;
}

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

PathKind path_kind(const fs::path& path, int* error) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (error != nullptr) *error = status.type() == fs::file_type::not_found ? 0 : code.value();
    return code ? PathKind::kNone : kind_of(status);
}

std::uint64_t size_of_file(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    return error ? 0 : size;
}

bool same_file(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return fs::equivalent(a, b, error) && !error;
}

fs::path absolute_path(const fs::path& path) {
    std::error_code error;
    fs::path absolute = fs::absolute(path, error);
    return error ? path : absolute;
}

std::optional<fs::path> real_path(const fs::path& path, int* error) {
    std::error_code code;
    fs::path place = fs::canonical(path, code);
    if (error != nullptr) *error = code.value();
    if (code) return std::nullopt;
    return place;
}

int create_folders(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    return error.value();
}

int remove_file(const fs::path& path) {
    std::error_code error;
    if (!fs::remove(path, error) && !error) return ENOENT;
    return error.value();
}

int replace_file(const fs::path& from, const fs::path& to) {
    return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

bool touch_file(const fs::path& path) {
    std::error_code error;
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
    return !error;
}

int list_folder(const fs::path& folder, std::vector<ListedFile>& out) {
    std::error_code error;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::directory_iterator i(folder, kOptions, error), end; !error && i != end; i.increment(error)) {
        struct stat status {};
        if (::stat(i->path().c_str(), &status) != 0) continue;  // it has gone
        const PathKind kind = S_ISREG(status.st_mode)   ? PathKind::kFile
                              : S_ISDIR(status.st_mode) ? PathKind::kFolder
                                                        : PathKind::kSpecial;
        out.push_back({i->path(), kind, static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim)});
    }
    return error.value();
}

FileStamp file_stamp(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_ctim),
            nanoseconds(status.st_mtim)};
}

}  // namespace sublet
