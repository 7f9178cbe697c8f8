#include "base/file_lock.h"

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

}  // namespace sublet
