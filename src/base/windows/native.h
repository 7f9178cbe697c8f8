// What the sources beside it share. No header of another folder includes it.
#pragma once

// First, as the others need it.
#include <windows.h>
// And these, in one place.
#include <aclapi.h>
#include <commdlg.h>
#include <psapi.h>
#include <shellapi.h>
#include <shlobj.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace sublet::windows {

[[nodiscard]] std::string narrow(std::wstring_view text);
[[nodiscard]] std::wstring wide(std::string_view text);

/// The path as the system's functions take it: absolute, and where it is long in the form that has no limit, which
/// knows neither "." nor "/" nor devices. `plain`: in that form in any case, so that no part of it names a device.
[[nodiscard]] std::wstring native(const std::filesystem::path& path, bool plain = false);

/// Without the marks of that form.
[[nodiscard]] std::filesystem::path without_marks(std::wstring_view path);

/// The reason of the call that has just failed; never 0.
[[nodiscard]] inline int last_error() {
    const DWORD error = ::GetLastError();
    return error == 0 ? ERROR_GEN_FAILURE : static_cast<int>(error);
}

/// A handle that is closed at the end.
class Handle {
  public:
    explicit Handle(HANDLE value) : value_(value == INVALID_HANDLE_VALUE ? nullptr : value) {}
    ~Handle() {
        if (value_ != nullptr) ::CloseHandle(value_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }
    [[nodiscard]] HANDLE get() const { return value_; }
    [[nodiscard]] HANDLE release() { return std::exchange(value_, nullptr); }

  private:
    HANDLE value_;
};

/// Headers for all systems have handles as numbers.
[[nodiscard]] inline HANDLE handle_of(std::intptr_t number) {
    return reinterpret_cast<HANDLE>(number);  // NOLINT(performance-no-int-to-ptr): it was one
}
[[nodiscard]] inline std::intptr_t number_of(HANDLE handle) {
    return reinterpret_cast<std::intptr_t>(handle);
}

/// Of an open file: where it lies; empty where that can't be told, and then last_error() is set.
[[nodiscard]] std::wstring place_of(HANDLE file);

/// 100 ns since 1601, as nanoseconds since 1970.
[[nodiscard]] std::int64_t nanoseconds(const FILETIME& time);

[[nodiscard]] inline std::uint64_t whole(DWORD high, DWORD low) {
    return std::uint64_t{high} << 32U | low;
}

constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

}  // namespace sublet::windows
