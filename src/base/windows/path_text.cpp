#include "base/path_text.h"

#include "base/windows/native.h"

namespace sublet {
namespace windows {

std::string narrow(std::wstring_view text) {
    if (text.empty()) return {};
    const int size = static_cast<int>(text.size());
    const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<std::size_t>(bytes), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), bytes, nullptr, nullptr);
    return result;
}

std::wstring wide(std::string_view text) {
    if (text.empty()) return {};
    const int bytes = static_cast<int>(text.size());
    const int size = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0);
    std::wstring result(static_cast<std::size_t>(size), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, result.data(), size);
    return result;
}

namespace {

constexpr std::wstring_view kLong = LR"(\\?\)";
constexpr std::wstring_view kLongShare = LR"(\\?\UNC\)";
constexpr std::wstring_view kDevice = LR"(\\.\)";
constexpr std::wstring_view kShare = LR"(\\)";
// What functions take of a plain path. A folder's name has to leave room for a file's in it.
constexpr std::size_t kMostPlain = MAX_PATH - 13;

}  // namespace

std::wstring native(const std::filesystem::path& path, bool plain) {
    const std::wstring& text = path.native();
    if (text.empty() || text.starts_with(kLong) || text.starts_with(kDevice)) return text;
    std::wstring full(MAX_PATH, L'\0');
    DWORD size = 0;
    while ((size = ::GetFullPathNameW(text.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr)) >=
           full.size()) {
        full.resize(size + 1);
    }
    if (size == 0) return text;
    full.resize(size);
    if ((!plain && full.size() < kMostPlain) || full.starts_with(kLong) || full.starts_with(kDevice)) return full;
    if (full.starts_with(kShare)) return std::wstring(kLongShare) + full.substr(kShare.size());
    return std::wstring(kLong) + full;
}

std::filesystem::path without_marks(std::wstring_view path) {
    if (path.starts_with(kLongShare)) return std::wstring(kShare).append(path.substr(kLongShare.size()));
    if (path.starts_with(kLong)) path.remove_prefix(kLong.size());
    return std::wstring(path);
}

}  // namespace windows

std::string path_text(const std::filesystem::path& path) {
    return windows::narrow(path.native());
}

std::filesystem::path text_path(std::string_view text) {
    return windows::wide(text);
}

}  // namespace sublet
