#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/open_file.h"

namespace sublet {

/// A file mapped read-only into memory for as long as the object lives; moved, not copied. The mapping starts at a page
/// boundary. Nothing protects it from another process that truncates the file: such an access ends the process, by
/// SIGBUS or as survive_short_files() has it. (Windows lets nobody truncate it.)
class MappedFile {
  public:
    MappedFile() = default;

    /// Maps all of a regular file. Throws Error when it is missing, unreadable, empty, a directory or a special file.
    explicit MappedFile(std::filesystem::path path);

    /// Of a file that is open already, at that path.
    MappedFile(std::filesystem::path path, const OpenFile& file);

    /// The same, held to a folder, as OpenFile holds it.
    MappedFile(std::filesystem::path path, const std::filesystem::path& folder);

    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// The file's bytes; none when default-constructed or moved from.
    std::span<const std::byte> bytes() const { return bytes_; }
    const std::filesystem::path& path() const { return path_; }

  private:
    void unmap() noexcept;

    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
};

}  // namespace sublet
