#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sublet {

/// What std::filesystem can't do alike on all systems: paths of any length on Windows, replacing what is in use. Links
/// are followed, but by remove_file() and in listings.

enum class PathKind : std::uint8_t {
    kNone,     // nothing is there, or nothing that can be asked
    kFile,     // a regular file
    kFolder,   //
    kSpecial,  // a device, a pipe
};

/// `error`: why nothing can be told, of the system (system_message()); 0 where nothing is there, or something is.
[[nodiscard]] PathKind path_kind(const std::filesystem::path& path, int* error = nullptr);
[[nodiscard]] inline bool path_exists(const std::filesystem::path& path) {
    return path_kind(path) != PathKind::kNone;
}
[[nodiscard]] inline bool is_folder(const std::filesystem::path& path) {
    return path_kind(path) == PathKind::kFolder;
}
[[nodiscard]] inline bool is_file(const std::filesystem::path& path) {
    return path_kind(path) == PathKind::kFile;
}

/// In bytes; 0 where no regular file is there.
[[nodiscard]] std::uint64_t size_of_file(const std::filesystem::path& path);

/// Whether both lead to the same file, which is there.
[[nodiscard]] bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

/// From the current folder on, without asking the file system; the path as it is where that can't be told.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);

/// Where a file or folder lies: absolute, without links, in the letters that it was made with. Nothing where it is not
/// there; `error` then says why.
[[nodiscard]] std::optional<std::filesystem::path> real_path(const std::filesystem::path& path, int* error = nullptr);

/// Makes a folder and those above it. An error of the system, or 0, also where it is there already.
[[nodiscard]] int create_folders(const std::filesystem::path& path);

/// Errors of the system, or 0. replace_file() puts `from` in the place of `to`, in one step where the system has one,
/// also where `to` is mapped or read elsewhere; `to` stays what it was where it can't.
[[nodiscard]] int remove_file(const std::filesystem::path& path);
[[nodiscard]] int replace_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Makes now the time at which a file was last modified. True: done.
bool touch_file(const std::filesystem::path& path);

struct ListedFile {
    std::filesystem::path path;  // the folder's, and its name
    PathKind kind = PathKind::kNone;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;  // of a clock of the file system
};

/// What is in a folder, in any order. An error of the system, or 0.
[[nodiscard]] int list_folder(const std::filesystem::path& folder, std::vector<ListedFile>& out);

/// What a file system tells of a file without reading it: another one, once the file was written to or replaced.
struct FileStamp {
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t changed_ns = 0, modified_ns = 0;

    bool operator==(const FileStamp&) const = default;
};

/// All 0 for a file that is not there.
[[nodiscard]] FileStamp file_stamp(const std::filesystem::path& path);

}  // namespace sublet
