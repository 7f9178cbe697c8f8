#include "base/system.h"

#include <array>

#include "base/error.h"
#include "base/path_text.h"
#include "base/windows/native.h"

namespace sublet {

namespace fs = std::filesystem;

std::string system_message(int error) {
    std::array<wchar_t, 512> text{};
    constexpr DWORD kFlags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
    constexpr DWORD kEnglish = MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US);
    const auto code = static_cast<DWORD>(error);
    const auto size = static_cast<DWORD>(text.size());
    // As all that the program says; where Windows has it in no English, in its own language.
    DWORD length = ::FormatMessageW(kFlags, nullptr, code, kEnglish, text.data(), size, nullptr);
    if (length == 0) length = ::FormatMessageW(kFlags, nullptr, code, 0, text.data(), size, nullptr);
    std::string message = windows::narrow({text.data(), length});
    while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
    return message.empty() ? "error " + std::to_string(error) + " of Windows" : message;
}

std::optional<std::string> environment_variable(const char* name) {
    const std::wstring wide_name = windows::wide(name);
    std::wstring value(256, L'\0');
    DWORD size = 0;
    ::SetLastError(ERROR_SUCCESS);
    while ((size = ::GetEnvironmentVariableW(wide_name.c_str(), value.data(), static_cast<DWORD>(value.size()))) >=
           value.size()) {
        value.resize(size + 1);
    }
    if (size == 0 && ::GetLastError() == ERROR_ENVVAR_NOT_FOUND) return std::nullopt;
    return windows::narrow(std::wstring_view(value).substr(0, size));
}

std::uint64_t process_number() {
    return ::GetCurrentProcessId();
}

std::uint64_t physical_memory_bytes() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof status;
    return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : 0;
}

std::uint64_t peak_memory_bytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    ::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
    return counters.PeakWorkingSetSize;
}

double thread_cpu_milliseconds() {
    FILETIME made{}, ended{}, kernel{}, user{};
    if (::GetThreadTimes(::GetCurrentThread(), &made, &ended, &kernel, &user) == 0) return 0.0;
    const std::uint64_t sum = windows::whole(kernel.dwHighDateTime, kernel.dwLowDateTime) +
                              windows::whole(user.dwHighDateTime, user.dwLowDateTime);
    return static_cast<double>(sum) * 1e-4;  // of 100 ns
}

fs::path executable_path() {
    std::wstring path(MAX_PATH, L'\0');
    DWORD size = 0;
    while ((size = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()))) >= path.size()) {
        path.resize(path.size() * 2);
    }
    path.resize(size);
    return windows::without_marks(path);
}

// Windows lets nobody replace a program that runs.
fs::path executable_bytes_path() {
    return executable_path();
}

fs::path user_folder(UserFolder folder) {
    fs::path named = text_path(
        environment_variable(folder == UserFolder::kCache ? "XDG_CACHE_HOME" : "XDG_STATE_HOME").value_or(""));
    if (named.is_absolute()) return named;
    PWSTR local = nullptr;
    fs::path place;
    if (::SHGetKnownFolderPath(FOLDERID_LocalAppData, KF_FLAG_DEFAULT, nullptr, &local) == S_OK) place = local;
    ::CoTaskMemFree(local);
    return place;
}

void* library_function(const char* library, const char* function, bool load) {
    const std::wstring name = windows::wide(library);
    HMODULE const handle = load ? ::LoadLibraryW(name.c_str()) : ::GetModuleHandleW(name.c_str());
    if (handle == nullptr) return nullptr;
    return reinterpret_cast<void*>(::GetProcAddress(handle, function));
}

const char* const kVulkanLoaderHelp =
    "(vulkan-1.dll) on this machine: install the current driver of the GPU's maker, which brings it";
const char* const kRenderDocLibrary = "renderdoc.dll";

}  // namespace sublet
