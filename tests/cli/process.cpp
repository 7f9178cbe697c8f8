#include "process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "temporary_folder.h"

extern char** environ;

namespace sublet::test {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// This process's environment with the changes made.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
    std::vector<std::string> result;
    const auto name_of = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
    for (char** entry = environ; *entry != nullptr; ++entry) {
        bool replaced = false;
        for (const std::string& change : changes) replaced = replaced || name_of(change) == name_of(*entry);
        if (!replaced) result.emplace_back(*entry);
    }
    for (const std::string& change : changes) {
        if (change.find('=') != std::string::npos) result.push_back(change);
    }
    return result;
}

// Programs keep their things here, and not where the user's are; what one test kept, no other run finds. Mesa alone
// keeps its shaders where it always does: to compile them takes long.
std::vector<std::string> own_home() {
    static const TemporaryFolder home;
    std::vector<std::string> variables{"XDG_CACHE_HOME=" + (home / "cache").string(),
                                       "XDG_STATE_HOME=" + (home / "state").string()};
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    const char* const user = std::getenv("HOME");
    if (std::getenv("MESA_SHADER_CACHE_DIR") == nullptr && (cache != nullptr || user != nullptr)) {
        variables.push_back("MESA_SHADER_CACHE_DIR=" +
                            (cache != nullptr ? std::string(cache) : std::string(user) + "/.cache"));
    }
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

std::vector<std::string> ProcessResult::error_lines() const {
    std::vector<std::string> lines;
    std::istringstream stream(err);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("note: ")) lines.push_back(line);
    }
    return lines;
}

Process::Process(const std::vector<std::string>& command, const ProcessOptions& options)
    : seconds_(options.seconds), start_(now()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "sublet-process-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "cannot make " << pattern;
    outputs_ = pattern;
    std::vector<std::string> arguments = command;
    std::vector<std::string> changes = own_home();
    const auto overridden = [&](const std::string& entry) {
        const std::string name = entry.substr(0, entry.find('='));
        return std::any_of(options.environment.begin(), options.environment.end(),
                           [&](const std::string& change) { return change.substr(0, change.find('=')) == name; });
    };
    std::erase_if(changes, overridden);
    changes.insert(changes.end(), options.environment.begin(), options.environment.end());
    std::vector<std::string> environment = environment_with(changes);
    const std::vector<char*> argument_pointers = pointers(arguments);
    const std::vector<char*> environment_pointers = pointers(environment);
    const std::string out = (outputs_ / "out").string();
    const std::string err = (outputs_ / "err").string();
    const std::string folder = options.folder.string();
    pid_ = ::fork();
    if (pid_ == 0) {
        if (!folder.empty() && ::chdir(folder.c_str()) != 0) ::_exit(126);
        if (::freopen("/dev/null", "r", stdin) == nullptr || ::freopen(out.c_str(), "w", stdout) == nullptr ||
            ::freopen(err.c_str(), "w", stderr) == nullptr) {
            ::_exit(126);
        }
        ::execvpe(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
        ::_exit(127);
    }
    if (pid_ < 0) ADD_FAILURE() << "cannot start " << command[0];
}

Process::~Process() {
    if (running()) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, &raw_status_, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all(outputs_, ignored);
}

bool Process::running() {
    if (pid_ > 0 && !ended_) ended_ = ::wait4(pid_, &raw_status_, WNOHANG, &usage_) == pid_;
    return pid_ > 0 && !ended_;
}

std::string Process::out_so_far() const {
    return read_text(outputs_ / "out");
}

void Process::signal(int number) {
    if (running()) ::kill(pid_, number);
}

ProcessResult Process::wait() {
    while (running()) {
        if (now() - start_ > seconds_) {
            ADD_FAILURE() << "still running after " << seconds_ << " s";
            ::kill(pid_, SIGKILL);
            ended_ = ::wait4(pid_, &raw_status_, 0, &usage_) == pid_;
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    ProcessResult result;
    result.status = WIFEXITED(raw_status_) ? WEXITSTATUS(raw_status_) : -WTERMSIG(raw_status_);
    result.out = read_text(outputs_ / "out");
    result.err = read_text(outputs_ / "err");
    result.peak_bytes = static_cast<std::uint64_t>(usage_.ru_maxrss) * 1024;
    return result;
}

ProcessResult run(const std::vector<std::string>& command, const ProcessOptions& options) {
    return Process(command, options).wait();
}

ProcessResult sublet(std::vector<std::string> arguments, const ProcessOptions& options) {
    arguments.insert(arguments.begin(), SUBLET_PROGRAM);
    return run(arguments, options);
}

bool has_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

}  // namespace sublet::test
