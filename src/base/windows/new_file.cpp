#include "base/new_file.h"

#include <algorithm>

#include "base/windows/native.h"

namespace sublet {
namespace {

// Who may do what with it.
void copy_permissions(const std::filesystem::path& from, HANDLE to) {
    const windows::Handle source(::CreateFileW(windows::native(from).c_str(), READ_CONTROL, windows::kShareAll, nullptr,
                                               OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    PACL permissions = nullptr;
    PSECURITY_DESCRIPTOR descriptor = nullptr;
    if (!source || ::GetSecurityInfo(source.get(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr, nullptr,
                                     &permissions, nullptr, &descriptor) != ERROR_SUCCESS) {
        return;
    }
    SECURITY_DESCRIPTOR_CONTROL control = 0;
    DWORD revision = 0;
    // What it inherits from its folder, the new file inherits anyway.
    if (::GetSecurityDescriptorControl(descriptor, &control, &revision) != 0 && (control & SE_DACL_PROTECTED) != 0) {
        ::SetSecurityInfo(to, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, nullptr,
                          nullptr, permissions, nullptr);
    }
    ::LocalFree(descriptor);
}

}  // namespace

int NewFile::create(const std::filesystem::path& path, bool& exists) {
    // Whoever removes it after a signal finds it open still.
    handle_ = windows::number_of(::CreateFileW(windows::native(path).c_str(), GENERIC_WRITE | WRITE_DAC,
                                               FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, CREATE_NEW,
                                               FILE_ATTRIBUTE_NORMAL, nullptr));
    const int error = is_open() ? 0 : windows::last_error();
    exists = error == ERROR_FILE_EXISTS || error == ERROR_ALREADY_EXISTS;
    path_ = path;
    return error;
}

int NewFile::open_at(const std::filesystem::path& path, std::uint64_t size) {
    handle_ = windows::number_of(::CreateFileW(windows::native(path).c_str(), GENERIC_WRITE,
                                               FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS,
                                               FILE_ATTRIBUTE_NORMAL, nullptr));
    path_ = path;
    if (!is_open()) return windows::last_error();
    LARGE_INTEGER end{};
    end.QuadPart = static_cast<LONGLONG>(size);
    const bool cut = ::SetFilePointerEx(windows::handle_of(handle_), end, nullptr, FILE_BEGIN) != 0 &&
                     ::SetEndOfFile(windows::handle_of(handle_)) != 0;
    return cut ? 0 : windows::last_error();
}

int NewFile::open_special(const std::filesystem::path& path) {
    handle_ = windows::number_of(::CreateFileW(windows::native(path).c_str(), GENERIC_WRITE, windows::kShareAll,
                                               nullptr, OPEN_EXISTING, 0, nullptr));
    path_ = path;
    return is_open() ? 0 : windows::last_error();
}

void NewFile::copy_attributes(const std::filesystem::path& from) {
    const DWORD attributes = ::GetFileAttributesW(windows::native(from).c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES) return;
    constexpr DWORD kCopied =
        FILE_ATTRIBUTE_ARCHIVE | FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED | FILE_ATTRIBUTE_SYSTEM;
    if ((attributes & kCopied) != 0) ::SetFileAttributesW(windows::native(path_).c_str(), attributes & kCopied);
    copy_permissions(from, windows::handle_of(handle_));
}

int NewFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        DWORD written = 0;
        const auto size = static_cast<DWORD>(std::min(bytes.size(), std::size_t{1} << 30U));
        if (::WriteFile(windows::handle_of(handle_), bytes.data(), size, &written, nullptr) == 0)
            return windows::last_error();
        if (written == 0) return ERROR_DISK_FULL;
        bytes = bytes.subspan(written);
    }
    return 0;
}

int NewFile::close() {
    if (!is_open()) return 0;
    return ::CloseHandle(windows::handle_of(std::exchange(handle_, kNone))) != 0 ? 0 : windows::last_error();
}

}  // namespace sublet
