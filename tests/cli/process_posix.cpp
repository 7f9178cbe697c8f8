#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <sstream>

#include "base/system.h"
#include "process.h"

extern char** environ;

namespace sublet::test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

struct Process::System {
    pid_t pid = -1;
};

void Process::start(const std::vector<std::string>& command, const ProcessOptions& options,
                    const std::vector<std::string>& environment) {
    std::vector<std::string> arguments = command;
    std::vector<std::string> variables = environment;
    const std::vector<char*> argument_pointers = pointers(arguments);
    const std::vector<char*> variable_pointers = pointers(variables);
    const std::filesystem::path out = outputs_ / "out";
    const std::filesystem::path err = outputs_ / "err";
    system_ = std::make_shared<System>();
    system_->pid = ::fork();
    if (system_->pid == 0) {
        if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
        if (std::freopen("/dev/null", "r", stdin) == nullptr || std::freopen(out.c_str(), "w", stdout) == nullptr ||
            std::freopen(err.c_str(), "w", stderr) == nullptr) {
            ::_exit(126);
        }
        ::execvpe(argument_pointers[0], argument_pointers.data(), variable_pointers.data());
        ::_exit(127);
    }
    if (system_->pid < 0) ADD_FAILURE() << "cannot start " << command[0];
}

bool Process::running() {
    if (system_->pid < 0 || ended_) return false;
    int status = 0;
    rusage usage{};
    ended_ = ::wait4(system_->pid, &status, WNOHANG, &usage) == system_->pid;
    if (!ended_) return true;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    peak_bytes_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return false;
}

int Process::pid() const {
    return system_->pid;
}

bool Process::interrupt() {
    return running() && ::kill(system_->pid, SIGINT) == 0;
}

void Process::kill() {
    ::kill(system_->pid, SIGKILL);
    ::waitpid(system_->pid, nullptr, 0);
    ended_ = true;
    status_ = -SIGKILL;
}

ProcessResult run_line(const std::string& line, const ProcessOptions& options) {
    return run({"sh", "-c", "sublet() { \"" + sublet_program() + "\" \"$@\"; }\n" + line}, options);
}

bool has_program(const std::string& name) {
    std::istringstream folders(environment_variable("PATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (::access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
    }
    return false;
}

const int kInterrupted = -SIGINT;

std::vector<std::string> environment_entries() {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
    return entries;
}

bool same_variable(const std::string& a, const std::string& b) {
    return a == b;
}

}  // namespace sublet::test
