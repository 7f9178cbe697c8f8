#include "base/open_file.h"

#include <algorithm>

#include "base/path_text.h"
#include "base/windows/native.h"

namespace sublet {
namespace {

constexpr const char* kOutside = "lies outside of the folder";

bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Others may write to it, rename and replace it. FILE_FLAG_BACKUP_SEMANTICS: a folder opens, to be refused by its name.
HANDLE open(const std::wstring& path) {
    return ::CreateFileW(path.c_str(), GENERIC_READ, windows::kShareAll, nullptr, OPEN_EXISTING,
                         FILE_FLAG_BACKUP_SEMANTICS, nullptr);
}

// And when it was last written to.
std::uint64_t regular_size(const std::filesystem::path& path, HANDLE file, std::int64_t& written) {
    if (::GetFileType(file) != FILE_TYPE_DISK) throw Error(path_text(path), "", "this is not a regular file");
    BY_HANDLE_FILE_INFORMATION information{};
    if (::GetFileInformationByHandle(file, &information) == 0) {
        throw_system(path, "cannot read", windows::last_error());
    }
    if ((information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        throw Error(path_text(path), "", "this is a directory, not a file");
    }
    written = static_cast<std::int64_t>(
        windows::whole(information.ftLastWriteTime.dwHighDateTime, information.ftLastWriteTime.dwLowDateTime));
    return windows::whole(information.nFileSizeHigh, information.nFileSizeLow);
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& path) : path_(path), handle_(0) {
    windows::Handle file(open(windows::native(path_)));
    if (!file) throw_system(path_, "cannot open", windows::last_error());
    size_ = regular_size(path_, file.get(), written_);
    handle_ = windows::number_of(file.release());
}

OpenFile::OpenFile(const std::filesystem::path& path, const std::filesystem::path& folder) : path_(path), handle_(0) {
    if (!is_within(path_.lexically_normal(), folder)) throw OutsideFolder(path_text(path_), "", kOutside);
    // In the form in which no name is a device's. Where it lies is asked of what was opened: nobody can exchange that.
    windows::Handle file(open(windows::native(path_, true)));
    if (!file) throw_system(path_, "cannot open", windows::last_error());
    const std::wstring place = windows::place_of(file.get());
    if (place.empty()) throw_system(path_, "cannot tell where it lies", windows::last_error());
    if (!is_within(windows::without_marks(place), folder)) throw OutsideFolder(path_text(path_), "", kOutside);
    size_ = regular_size(path_, file.get(), written_);
    handle_ = windows::number_of(file.release());
}

OpenFile::~OpenFile() {
    if (handle_ != 0) ::CloseHandle(windows::handle_of(handle_));
}

void OpenFile::require_unchanged() const {
    std::int64_t written = 0;
    const bool same = regular_size(path_, windows::handle_of(handle_), written) == size_ && written == written_;
    if (!same) throw Error(path_text(path_), "", "the file was changed while it was read");
}

void OpenFile::read(std::span<std::byte> to, std::uint64_t offset) const {
    while (!to.empty()) {
        OVERLAPPED at{};
        at.Offset = static_cast<DWORD>(offset);
        at.OffsetHigh = static_cast<DWORD>(offset >> 32U);
        DWORD got = 0;
        const auto size = static_cast<DWORD>(std::min(to.size(), std::size_t{1} << 30U));
        if (::ReadFile(windows::handle_of(handle_), to.data(), size, &got, &at) == 0) {
            const int error = windows::last_error();
            if (error != ERROR_HANDLE_EOF) throw_system(path_, "cannot read", error);
        }
        if (got == 0) throw Error(path_text(path_), "", "the file became shorter while it was read");
        to = to.subspan(got);
        offset += got;
    }
}

std::span<const std::byte> OpenFile::map() const {
    if (size_ == 0) throw Error(path_text(path_), "", "the file is empty");
    const windows::Handle mapping(
        ::CreateFileMappingW(windows::handle_of(handle_), nullptr, PAGE_READONLY, 0, 0, nullptr));
    const void* const address = mapping ? ::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, 0) : nullptr;
    if (address == nullptr) throw_system(path_, "cannot map", windows::last_error());
    return {static_cast<const std::byte*>(address), static_cast<std::size_t>(size_)};
}

void unmap_file(std::span<const std::byte> bytes) noexcept {
    if (!bytes.empty()) ::UnmapViewOfFile(bytes.data());
}

}  // namespace sublet
