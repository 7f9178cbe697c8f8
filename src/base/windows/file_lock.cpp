#include "base/file_lock.h"

#include <utility>

#include "base/windows/native.h"

namespace sublet {
FileLock::FileLock(const std::filesystem::path& file)
    : handle_(
          windows::number_of(::CreateFileW(windows::native(file).c_str(), GENERIC_READ | GENERIC_WRITE,
                                           windows::kShareAll, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr))) {
    for (int i = 0; windows::handle_of(handle_) != INVALID_HANDLE_VALUE && i < 50; ++i) {
        OVERLAPPED at{};
        constexpr DWORD kNow = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
        if (::LockFileEx(windows::handle_of(handle_), kNow, 0, 1, 0, &at) != 0) return;
        ::Sleep(20);
    }
}

FileLock::~FileLock() {
    if (windows::handle_of(handle_) != INVALID_HANDLE_VALUE) ::CloseHandle(windows::handle_of(handle_));
}

FileMark::FileMark(const std::filesystem::path& file)
    : handle_(windows::number_of(::CreateFileW(windows::native(file).c_str(), GENERIC_READ, windows::kShareAll, nullptr,
                                               OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr))) {
    HANDLE const handle = windows::handle_of(handle_);
    if (handle == INVALID_HANDLE_VALUE) {
        // Of a file that is being removed nothing can be opened.
        const int error = windows::last_error();
        const bool gone = error == ERROR_FILE_NOT_FOUND || error == ERROR_ACCESS_DENIED;
        state_ = gone ? State::kTaken : State::kUnknown;
        return;
    }
    // A byte where no file has any: what is locked can't be read or written by others.
    OVERLAPPED at{};
    at.Offset = 0xFFFFFFFE;
    at.OffsetHigh = 0x7FFFFFFF;
    if (::LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at) == 0) {
        const int error = windows::last_error();
        state_ = error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING ? State::kTaken : State::kUnknown;
        return;
    }
    // Whoever had it may have removed the file before letting go.
    FILE_STANDARD_INFO standard{};
    const bool told = ::GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard) != 0;
    state_ = told && standard.DeletePending != 0 ? State::kTaken : State::kHeld;
}

FileMark::~FileMark() {
    if (windows::handle_of(handle_) != INVALID_HANDLE_VALUE) ::CloseHandle(windows::handle_of(handle_));
}

FileMark::FileMark(FileMark&& other) noexcept
    : state_(std::exchange(other.state_, State::kNone)), handle_(std::exchange(other.handle_, -1)) {}

FileMark& FileMark::operator=(FileMark&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(handle_, other.handle_);
    return *this;
}

}  // namespace sublet
