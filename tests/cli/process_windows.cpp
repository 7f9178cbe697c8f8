#include <gtest/gtest.h>
#include <windows.h>

// After that one, whose types it takes.
#include <psapi.h>

#include <algorithm>
#include <cwchar>
#include <string>

#include "base/path_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

// A path's characters are the system's: the one conversion there is does for all text.
std::wstring wide(const std::string& text) {
    return text_path(text).native();
}

// An argument as CommandLineToArgvW() takes it apart: backslashes count before a quotation mark alone.
std::wstring quoted(const std::wstring& argument) {
    if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == std::wstring::npos) return argument;
    std::wstring out = L"\"";
    std::size_t backslashes = 0;
    for (const wchar_t c : argument) {
        if (c == L'"') out.append(backslashes + 1, L'\\');
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        out += c;
    }
    return out.append(backslashes, L'\\') + L'"';
}

HANDLE open_inherited(const wchar_t* path, DWORD access, DWORD disposition) {
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    return ::CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, disposition,
                         FILE_ATTRIBUTE_NORMAL, nullptr);
}

}  // namespace

struct Process::System {
    PROCESS_INFORMATION process{};
    ~System() {
        if (process.hProcess == nullptr) return;
        ::CloseHandle(process.hThread);
        ::CloseHandle(process.hProcess);
    }
};

void Process::start(const std::vector<std::string>& command, const ProcessOptions& options,
                    const std::vector<std::string>& environment) {
    // What has no console of its own is given one, which the program shares.
    if (options.interruptible && ::GetConsoleCP() == 0) ::AllocConsole();
    std::wstring line;
    for (const std::string& argument : command) line += (line.empty() ? L"" : L" ") + quoted(wide(argument));
    std::wstring variables;
    for (const std::string& entry : environment) variables += wide(entry) + L'\0';
    variables += L'\0';
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = open_inherited(L"NUL", GENERIC_READ, OPEN_EXISTING);
    startup.hStdOutput = open_inherited((outputs_ / "out").c_str(), GENERIC_WRITE, CREATE_ALWAYS);
    startup.hStdError = open_inherited((outputs_ / "err").c_str(), GENERIC_WRITE, CREATE_ALWAYS);
    system_ = std::make_shared<System>();
    // A group of its own: what interrupts it leaves the test alone.
    const BOOL started = ::CreateProcessW(
        nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT | CREATE_NEW_PROCESS_GROUP,
        variables.data(), options.folder.empty() ? nullptr : options.folder.c_str(), &startup, &system_->process);
    if (started == 0) ADD_FAILURE() << "cannot start " << command[0] << ": error " << ::GetLastError();
    for (HANDLE const handle : {startup.hStdInput, startup.hStdOutput, startup.hStdError}) ::CloseHandle(handle);
}

bool Process::running() {
    HANDLE const process = system_->process.hProcess;
    if (process == nullptr || ended_) return false;
    // Each time: wine tells nothing of a process that has ended.
    PROCESS_MEMORY_COUNTERS counters{};
    ::K32GetProcessMemoryInfo(process, &counters, sizeof counters);
    peak_bytes_ = std::max<std::uint64_t>(peak_bytes_, counters.PeakWorkingSetSize);
    ended_ = ::WaitForSingleObject(process, 0) == WAIT_OBJECT_0;
    if (!ended_) return true;
    DWORD status = 0;
    ::GetExitCodeProcess(process, &status);
    status_ = static_cast<int>(status);
    return false;
}

int Process::pid() const {
    return static_cast<int>(system_->process.dwProcessId);
}

bool Process::interrupt() {
    return running() && ::GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, system_->process.dwProcessId) != 0;
}

void Process::kill() {
    ::TerminateProcess(system_->process.hProcess, static_cast<UINT>(-1));
    ::WaitForSingleObject(system_->process.hProcess, 10'000);
    ended_ = true;
    status_ = -1;
}

ProcessResult run_line(const std::string& line, const ProcessOptions& options) {
    const TemporaryFolder folder;
    // 65001 is UTF-8. A script: what CreateProcess() takes has other quotation marks than cmd.exe.
    const std::string arguments = line.substr(std::string("sublet").size());
    write_text(folder / "line.bat", "@chcp 65001 >NUL\r\n@\"" + sublet_program() + "\"" + arguments + "\r\n");
    return run({"cmd.exe", "/d", "/c", path_text(folder / "line.bat")}, options);
}

bool has_program(const std::string& name) {
    return ::SearchPathW(nullptr, wide(name).c_str(), L".exe", 0, nullptr, nullptr) != 0;
}

const int kInterrupted = static_cast<int>(STATUS_CONTROL_C_EXIT);

std::vector<std::string> environment_entries() {
    std::vector<std::string> entries;
    wchar_t* const block = ::GetEnvironmentStringsW();
    for (const wchar_t* entry = block; *entry != L'\0'; entry += std::wcslen(entry) + 1) {
        entries.push_back(path_text(entry));
    }
    ::FreeEnvironmentStringsW(block);
    return entries;
}

bool same_variable(const std::string& a, const std::string& b) {
    return ::CompareStringOrdinal(wide(a).c_str(), -1, wide(b).c_str(), -1, TRUE) == CSTR_EQUAL;
}

}  // namespace sublet::test
