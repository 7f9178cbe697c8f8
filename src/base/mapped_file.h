#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "base/error.h"

namespace sublet {

/// A file that was to be read from a folder lies outside of it.
class OutsideFolder : public Error {
  public:
    using Error::Error;
};

/// A file mapped read-only into memory for as long as the object lives; moved, not copied. The mapping starts at a page
/// boundary. Nothing protects it from another process that truncates the file: such an access ends in SIGBUS.
class MappedFile {
  public:
    MappedFile() = default;

    /// Maps all of a regular file. Throws Error when it is missing, unreadable, empty, a directory or a special file.
    explicit MappedFile(std::filesystem::path path);

    /// The same, held to a folder (an absolute path without links). Throws OutsideFolder when the file lies elsewhere,
    /// be it by "..", or by links on the way to it; nothing of it is read, and no device is opened.
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
    void map(int file, std::size_t size);
    void unmap() noexcept;

    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
};

}  // namespace sublet
