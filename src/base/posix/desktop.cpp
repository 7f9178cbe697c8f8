#include "base/desktop.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>
#include <vector>

#include "base/path_text.h"
#include "base/system.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to programs

namespace sublet {

namespace fs = std::filesystem;

namespace {

// Starts a program of PATH; nothing: it can't be. No shell has a part in this: words are arguments as they are.
std::optional<pid_t> start(const std::vector<std::string>& command, const posix_spawn_file_actions_t& actions) {
    std::vector<char*> arguments;
    for (const std::string& word : command) {
        // posix_spawn only reads them.
        arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
    arguments.push_back(nullptr);
    pid_t process = -1;
    if (::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) return std::nullopt;
    return process;
}

// In the folders of PATH.
bool installed(const std::string& program) {
    std::string rest = environment_variable("PATH").value_or("");
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::string folder = rest.substr(0, colon);
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
        if (!folder.empty() && ::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    }
    return false;
}

// Nothing where neither program is there.
std::vector<std::string> dialog_command(const FileQuestion& question) {
    const bool save = !question.suggested.empty();
    const std::string begin = path_text(question.folder / question.suggested);
    if (installed("zenity")) {
        std::vector<std::string> command{"zenity", "--file-selection", "--title=" + question.title,
                                         "--filename=" + begin};
        if (save) command.insert(command.end(), {"--save", "--confirm-overwrite"});
        command.push_back("--file-filter=" + question.name + " | " + question.patterns);
        return command;
    }
    if (installed("kdialog")) {
        return {"kdialog",      "--title",
                question.title, save ? "--getsavefilename" : "--getopenfilename",
                begin,          question.patterns + "|" + question.name};
    }
    return {};
}

}  // namespace

struct FileOpener::Running {
    pid_t process;  // it may outlive the viewer
    fs::path file;
};

FileOpener::FileOpener() = default;
FileOpener::~FileOpener() = default;

bool FileOpener::open(const fs::path& file) {
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    // What it says is not the viewer's: standard output may be JSON.
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    }
    const std::optional<pid_t> process = start({"xdg-open", path_text(file)}, actions);
    posix_spawn_file_actions_destroy(&actions);
    if (!process) return false;
    running_ = std::make_unique<Running>(Running{*process, file});
    return true;
}

std::optional<fs::path> FileOpener::take_failed() {
    int status = 0;
    if (!running_ || ::waitpid(running_->process, &status, WNOHANG) != running_->process) return std::nullopt;
    const std::unique_ptr<Running> ended = std::move(running_);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
    return ended->file;
}

struct SystemFileDialog::Running {
    pid_t process;
    int output;  // what it prints
    std::string printed;
};

SystemFileDialog::SystemFileDialog() = default;
SystemFileDialog::~SystemFileDialog() {
    stop();
}

bool SystemFileDialog::ask(const FileQuestion& question) {
    stop();
    const std::vector<std::string> command = dialog_command(question);
    std::array<int, 2> ends{};
    if (command.empty() || ::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const std::optional<pid_t> process = start(command, actions);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (!process) {
        ::close(ends[0]);
        return false;
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    running_ = std::make_unique<Running>(Running{*process, ends[0], {}});
    return true;
}

void SystemFileDialog::stop() {
    if (!running_) return;
    ::kill(running_->process, SIGTERM);
    ::waitpid(running_->process, nullptr, 0);
    ::close(running_->output);
    running_.reset();
}

std::optional<fs::path> SystemFileDialog::take() {
    if (!running_) return std::nullopt;
    std::array<char, 4096> bytes{};
    ssize_t count = 0;
    while ((count = ::read(running_->output, bytes.data(), bytes.size())) > 0) {
        running_->printed.append(bytes.data(), static_cast<std::size_t>(count));
    }
    // Its end, and not that there is nothing yet: then it is over, or will be at once.
    if (count != 0) return std::nullopt;
    int status = 0;
    ::waitpid(running_->process, &status, 0);
    ::close(running_->output);
    std::string printed = std::move(running_->printed);
    running_.reset();
    while (!printed.empty() && printed.back() == '\n') printed.pop_back();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || printed.empty()) return std::nullopt;
    return text_path(printed);
}

}  // namespace sublet
