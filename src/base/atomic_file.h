#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/file_lock.h"
#include "base/new_file.h"
#include "base/signal_cleanup.h"

namespace sublet {

/// A file that appears whole or not at all: bytes go to a temporary file beside the target, which commit() renames over
/// it. Destroyed without commit(), or when a signal ends the process, the temporary is removed, and whatever the target
/// held before is still there. A link is followed; an existing file's permissions and attributes are kept. When the
/// target is a device or a pipe (/dev/stdout, NUL), which cannot be replaced, bytes go straight to it.
class AtomicFile {
  public:
    /// Creates the temporary file. Throws Error when the target's folder does not exist or cannot be written, or the
    /// target is a directory.
    explicit AtomicFile(std::filesystem::path path);

    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Appends bytes. Throws Error when they cannot all be written (a full disk).
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

    /// Appends the bytes of a run of plain structs, as they lie in memory.
    template <typename T>
    void write_objects(std::span<const T> objects) {
        static_assert(std::is_trivially_copyable_v<T>);
        write(std::as_bytes(objects));
    }

    /// Bytes written so far: the offset at which the next write() lands.
    std::uint64_t position() const { return position_; }

    /// Puts the file in place; nothing can be written after. Throws Error when it cannot, and then nothing has changed.
    void commit();

    /// The target, as it was given.
    const std::filesystem::path& path() const { return path_; }

  private:
    void discard() noexcept;
    void flush();
    void write_all(std::span<const std::byte> bytes);

    std::filesystem::path path_;
    std::filesystem::path target_;     // path_, links followed
    std::filesystem::path temporary_;  // empty when the target is written straight
    FileMark mark_;                    // of the temporary: it is no leftover
    RemoveOnSignal remove_on_signal_;  // of the temporary
    std::string buffer_;               // small writes, gathered
    NewFile file_;
    std::uint64_t position_ = 0;
};

/// Writes a whole file through AtomicFile.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace sublet
