#include "base/files.h"

#include <cwchar>
#include <vector>

#include "base/windows/native.h"

namespace sublet {

namespace fs = std::filesystem;

namespace windows {

std::wstring place_of(HANDLE file) {
    std::wstring place(MAX_PATH, L'\0');
    DWORD size = 0;
    while ((size = ::GetFinalPathNameByHandleW(file, place.data(), static_cast<DWORD>(place.size()),
                                               FILE_NAME_NORMALIZED)) >= place.size()) {
        place.resize(size + 1);
    }
    place.resize(size);
    return place;
}

std::int64_t nanoseconds(const FILETIME& time) {
    constexpr std::int64_t kFrom1601 = 116'444'736'000'000'000;  // to 1970, in 100 ns
    return (static_cast<std::int64_t>(whole(time.dwHighDateTime, time.dwLowDateTime)) - kFrom1601) * 100;
}

namespace {

// Open for questions alone: nothing of it can be read. FILE_FLAG_BACKUP_SEMANTICS: folders too.
HANDLE look_at(const fs::path& path) {
    return ::CreateFileW(native(path).c_str(), FILE_READ_ATTRIBUTES, kShareAll, nullptr, OPEN_EXISTING,
                         FILE_FLAG_BACKUP_SEMANTICS, nullptr);
}

bool is_missing(int error) {
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME ||
           error == ERROR_BAD_NETPATH || error == ERROR_BAD_NET_NAME || error == ERROR_NOT_READY ||
           error == ERROR_INVALID_DRIVE || error == ERROR_DIRECTORY;
}

bool information(const fs::path& path, BY_HANDLE_FILE_INFORMATION& out) {
    const Handle file(look_at(path));
    return file && ::GetFileType(file.get()) == FILE_TYPE_DISK && ::GetFileInformationByHandle(file.get(), &out) != 0;
}

// Moves a file over another as POSIX does: whoever has the old one open keeps it. Windows 10 and later, on NTFS.
int rename_as_posix(const std::wstring& from, const std::wstring& to) {
    const Handle file(::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, kShareAll, nullptr, OPEN_EXISTING, 0, nullptr));
    if (!file) return last_error();
    // FILE_RENAME_INFO with flags in the place of its first member, of class FileRenameInfoEx: older headers lack both.
    struct Information {
        DWORD flags;
        HANDLE root;
        DWORD bytes;
        WCHAR name[1];
    };
    constexpr DWORD kReplace = 1;
    constexpr DWORD kAsPosix = 2;
    constexpr auto kFileRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
    std::vector<std::byte> bytes(sizeof(Information) + to.size() * sizeof(WCHAR));
    auto* const information = reinterpret_cast<Information*>(bytes.data());
    information->flags = kReplace | kAsPosix;
    information->bytes = static_cast<DWORD>(to.size() * sizeof(WCHAR));
    std::wmemcpy(information->name, to.c_str(), to.size() + 1);
    const BOOL done =
        ::SetFileInformationByHandle(file.get(), kFileRenameInfoEx, information, static_cast<DWORD>(bytes.size()));
    return done != 0 ? 0 : last_error();
}

// Behind it are digits alone.
constexpr std::wstring_view kReplaced = L".replaced-";

// What rename_past() had to leave of a file, as far as nobody uses it any more.
void remove_left_behind(const std::wstring& of) {
    WIN32_FIND_DATAW found{};
    HANDLE const search = ::FindFirstFileW((of + std::wstring(kReplaced) + L'*').c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) return;
    const std::wstring folder = of.substr(0, of.find_last_of(L'\\') + 1);
    do {
        const std::wstring_view name = found.cFileName;
        const std::size_t number = name.rfind(kReplaced);
        if (number == std::wstring_view::npos) continue;
        if (name.find_first_not_of(L"0123456789", number + kReplaced.size()) != std::wstring_view::npos) continue;
        ::DeleteFileW((folder + found.cFileName).c_str());
    } while (::FindNextFileW(search, &found) != 0);
    ::FindClose(search);
}

// Makes room: a file that is mapped can be renamed, where it can't be replaced.
int rename_past(const std::wstring& from, const std::wstring& to) {
    remove_left_behind(to);
    const std::wstring aside =
        to + std::wstring(kReplaced) + std::to_wstring(::GetTickCount64()) + std::to_wstring(::GetCurrentThreadId());
    if (::MoveFileExW(to.c_str(), aside.c_str(), 0) == 0) return last_error();
    if (::MoveFileExW(from.c_str(), to.c_str(), 0) == 0) {
        const int error = last_error();
        ::MoveFileExW(aside.c_str(), to.c_str(), 0);
        return error;
    }
    // It may be in use until its readers end: then it stays, under that name.
    ::DeleteFileW(aside.c_str());
    return 0;
}

}  // namespace
}  // namespace windows

PathKind path_kind(const fs::path& path, int* error) {
    const windows::Handle file(windows::look_at(path));
    const int reason = file ? 0 : windows::last_error();
    if (error != nullptr) *error = windows::is_missing(reason) ? 0 : reason;
    if (!file) return PathKind::kNone;
    if (::GetFileType(file.get()) != FILE_TYPE_DISK) return PathKind::kSpecial;
    BY_HANDLE_FILE_INFORMATION information{};
    if (::GetFileInformationByHandle(file.get(), &information) == 0) return PathKind::kSpecial;
    const bool folder = (information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    return folder ? PathKind::kFolder : PathKind::kFile;
}

std::uint64_t size_of_file(const fs::path& path) {
    BY_HANDLE_FILE_INFORMATION information{};
    return windows::information(path, information) ? windows::whole(information.nFileSizeHigh, information.nFileSizeLow)
                                                   : 0;
}

bool same_file(const fs::path& a, const fs::path& b) {
    const FileStamp first = file_stamp(a);
    const FileStamp second = file_stamp(b);
    return first != FileStamp{} && first.device == second.device && first.inode == second.inode;
}

fs::path absolute_path(const fs::path& path) {
    return windows::without_marks(windows::native(path));
}

std::optional<fs::path> real_path(const fs::path& path, int* error) {
    const windows::Handle file(windows::look_at(path));
    const std::wstring place = file ? windows::place_of(file.get()) : std::wstring();
    if (error != nullptr) *error = place.empty() ? windows::last_error() : 0;
    if (place.empty()) return std::nullopt;
    return windows::without_marks(place);
}

int create_folders(const fs::path& path) {
    if (is_folder(path)) return 0;
    const fs::path above = path.parent_path();
    if (!above.empty() && above != path) {
        if (const int error = create_folders(above); error != 0) return error;
    }
    if (path.filename().empty() || ::CreateDirectoryW(windows::native(path).c_str(), nullptr) != 0) return 0;
    const int error = windows::last_error();
    return error == ERROR_ALREADY_EXISTS && is_folder(path) ? 0 : error;
}

int remove_file(const fs::path& path) {
    return ::DeleteFileW(windows::native(path).c_str()) != 0 ? 0 : windows::last_error();
}

int replace_file(const fs::path& from, const fs::path& to) {
    const std::wstring source = windows::native(from);
    const std::wstring target = windows::native(to);
    const DWORD attributes = ::GetFileAttributesW(target.c_str());
    // Windows refuses it itself; wine does not.
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
        return ERROR_ACCESS_DENIED;
    if (windows::rename_as_posix(source, target) == 0) return 0;
    if (::MoveFileExW(source.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING) != 0) return 0;
    const int error = windows::last_error();
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return error;
    return windows::rename_past(source, target) == 0 ? 0 : error;
}

bool touch_file(const fs::path& path) {
    const windows::Handle file(::CreateFileW(windows::native(path).c_str(), FILE_WRITE_ATTRIBUTES, windows::kShareAll,
                                             nullptr, OPEN_EXISTING, 0, nullptr));
    FILETIME now{};
    ::GetSystemTimeAsFileTime(&now);
    return file && ::SetFileTime(file.get(), nullptr, nullptr, &now) != 0;
}

int list_folder(const fs::path& folder, std::vector<ListedFile>& out) {
    WIN32_FIND_DATAW found{};
    const std::wstring pattern = windows::native(folder / L"x", true);
    HANDLE const search = ::FindFirstFileW((pattern.substr(0, pattern.size() - 1) + L'*').c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) {
        const int error = windows::last_error();
        return error == ERROR_FILE_NOT_FOUND ? 0 : error;
    }
    do {
        const std::wstring_view name = found.cFileName;
        if (name == L"." || name == L"..") continue;
        const bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
        out.push_back({folder / name, is_folder ? PathKind::kFolder : PathKind::kFile,
                       windows::whole(found.nFileSizeHigh, found.nFileSizeLow),
                       windows::nanoseconds(found.ftLastWriteTime)});
    } while (::FindNextFileW(search, &found) != 0);
    const int error = windows::last_error();
    ::FindClose(search);
    return error == ERROR_NO_MORE_FILES ? 0 : error;
}

FileStamp file_stamp(const fs::path& path) {
    const windows::Handle file(windows::look_at(path));
    BY_HANDLE_FILE_INFORMATION information{};
    if (!file || ::GetFileInformationByHandle(file.get(), &information) == 0) return {};
    FILE_BASIC_INFO times{};
    ::GetFileInformationByHandleEx(file.get(), FileBasicInfo, &times, sizeof times);
    return {information.dwVolumeSerialNumber, windows::whole(information.nFileIndexHigh, information.nFileIndexLow),
            windows::whole(information.nFileSizeHigh, information.nFileSizeLow), times.ChangeTime.QuadPart,
            windows::nanoseconds(information.ftLastWriteTime)};
}

}  // namespace sublet
