#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace sublet {

/// A file open for writing. Functions return errors of the system (system_message()), or 0.
class NewFile {
  public:
    NewFile() = default;
    ~NewFile() { static_cast<void>(close()); }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// Makes it. `exists`: whether the error is that something is there already.
    [[nodiscard]] int create(const std::filesystem::path& path, bool& exists);
    /// Makes it, or opens what is there, and cuts it to a size: what is written goes behind that.
    [[nodiscard]] int open_at(const std::filesystem::path& path, std::uint64_t size);
    /// A device or a pipe.
    [[nodiscard]] int open_special(const std::filesystem::path& path);
    [[nodiscard]] bool is_open() const { return handle_ != kNone; }

    /// Gives it the permissions and attributes of another file, as far as they can be had.
    void copy_attributes(const std::filesystem::path& from);
    [[nodiscard]] int write(std::span<const std::byte> bytes);
    /// A network file system may report a failed write only here.
    [[nodiscard]] int close();

  private:
    static constexpr std::intptr_t kNone = -1;
    std::intptr_t handle_ = kNone;
    std::filesystem::path path_;
};

}  // namespace sublet
