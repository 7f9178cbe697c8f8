#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "base/error.h"

namespace sublet {

/// A file that was to be read from a folder lies outside of it.
class OutsideFolder : public Error {
  public:
    using Error::Error;
};

/// A regular file, open for reading. Others may meanwhile write to it, rename, replace and remove it.
class OpenFile {
  public:
    /// Throws Error when the file is missing, unreadable, a directory or a special file. No pipe holds it up.
    explicit OpenFile(const std::filesystem::path& path);

    /// The same, held to a folder, of which `folder` is the real_path(). Throws OutsideFolder when the file lies
    /// elsewhere, be it by "..", or by links on the way to it; nothing of it is read, and no device is opened.
    OpenFile(const std::filesystem::path& path, const std::filesystem::path& folder);

    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    /// In bytes, when it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Throws Error where somebody has written to it since it was opened, as far as its size and its time tell.
    void require_unchanged() const;

    /// Any thread may read. Throws Error when the file can't be read, or has become too short.
    void read(std::span<std::byte> to, std::uint64_t offset) const;

    /// All of it, mapped read-only: until unmap_file(), also after the object. Throws Error when it is empty, or can't
    /// be mapped.
    [[nodiscard]] std::span<const std::byte> map() const;

  private:
    std::filesystem::path path_;
    std::intptr_t handle_;  // the system's
    std::uint64_t size_ = 0;
    std::int64_t written_ = 0;  // when, on the file system's clock
};

void unmap_file(std::span<const std::byte> bytes) noexcept;

}  // namespace sublet
