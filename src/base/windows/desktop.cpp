#include "base/desktop.h"

#include <array>
#include <atomic>
#include <thread>
#include <utility>

#include "base/windows/native.h"

namespace sublet {

namespace fs = std::filesystem;

struct FileOpener::Running {};

FileOpener::FileOpener() = default;
FileOpener::~FileOpener() = default;

bool FileOpener::open(const fs::path& file) {
    SHELLEXECUTEINFOW question{};
    question.cbSize = sizeof question;
    question.fMask = SEE_MASK_NOASYNC | SEE_MASK_FLAG_NO_UI;
    question.lpFile = file.c_str();
    question.nShow = SW_SHOWNORMAL;
    return ::ShellExecuteExW(&question) != 0;
}

std::optional<fs::path> FileOpener::take_failed() {
    return std::nullopt;
}

// The system's dialog is modal: it waits in a thread of its own, and nobody can end it from outside.
struct SystemFileDialog::Running {
    struct Answer {
        std::atomic<bool> done{false};
        std::optional<fs::path> chosen;
    };
    std::shared_ptr<Answer> answer = std::make_shared<Answer>();
};

namespace {

std::optional<fs::path> ask_and_wait(const FileQuestion& question) {
    const bool save = !question.suggested.empty();
    std::array<wchar_t, 32768> name{};
    windows::wide(question.suggested).copy(name.data(), name.size() - 1);
    // "Scenes", "*.gltf;*.glb", each with a zero behind it, and one more at the end.
    std::wstring patterns = windows::wide(question.patterns);
    for (wchar_t& c : patterns) c = c == L' ' ? L';' : c;
    const std::wstring filter = windows::wide(question.name) + L'\0' + patterns + L'\0';
    const std::wstring title = windows::wide(question.title);
    const std::wstring extension = patterns.substr(patterns.rfind(L'.') + 1);
    const fs::path folder = windows::without_marks(windows::native(question.folder));
    OPENFILENAMEW dialog{};
    dialog.lStructSize = sizeof dialog;
    dialog.lpstrFilter = filter.c_str();
    dialog.lpstrFile = name.data();
    dialog.nMaxFile = static_cast<DWORD>(name.size());
    dialog.lpstrInitialDir = folder.c_str();
    dialog.lpstrTitle = title.c_str();
    dialog.lpstrDefExt = save ? extension.c_str() : nullptr;
    // The current folder stays: relative paths start from it.
    dialog.Flags = OFN_EXPLORER | OFN_NOCHANGEDIR | OFN_HIDEREADONLY | OFN_PATHMUSTEXIST |
                   (save ? OFN_OVERWRITEPROMPT : OFN_FILEMUSTEXIST);
    // Its list of files is made of parts that need this.
    const bool has_parts = SUCCEEDED(::CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED | COINIT_DISABLE_OLE1DDE));
    const BOOL chosen = save ? ::GetSaveFileNameW(&dialog) : ::GetOpenFileNameW(&dialog);
    if (has_parts) ::CoUninitialize();
    return chosen != 0 ? std::optional<fs::path>(name.data()) : std::nullopt;
}

}  // namespace

SystemFileDialog::SystemFileDialog() = default;
SystemFileDialog::~SystemFileDialog() = default;

bool SystemFileDialog::ask(const FileQuestion& question) {
    running_ = std::make_unique<Running>();
    std::thread([question, answer = running_->answer] {
        answer->chosen = ask_and_wait(question);
        answer->done = true;
    }).detach();
    return true;
}

void SystemFileDialog::stop() {
    running_.reset();
}

std::optional<fs::path> SystemFileDialog::take() {
    if (!running_ || !running_->answer->done) return std::nullopt;
    const std::shared_ptr<Running::Answer> answer = running_->answer;
    running_.reset();
    return answer->chosen;
}

}  // namespace sublet
