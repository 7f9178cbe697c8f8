// Other programs, run from a test.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sublet::test {

struct ProcessOptions {
    std::filesystem::path folder = {};          // to run in; empty: the current one
    std::vector<std::string> environment = {};  // "NAME=value", over what the test itself has; "NAME" unsets
    double seconds = 120;                       // then it is killed, and the test fails
};

struct ProcessResult {
    int status = -1;  // exit status; -N when signal N ended it
    std::string out, err;
    std::uint64_t peak_bytes = 0;  // the most memory that it held

    // Lines of stderr that are not notes.
    [[nodiscard]] std::vector<std::string> error_lines() const;
};

// A program that runs beside the test; ended, if need be, with it.
class Process {
  public:
    // command[0] is looked for in PATH. Its stdin is empty; stdout and stderr are kept.
    explicit Process(const std::vector<std::string>& command, const ProcessOptions& options = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] bool running();
    // What it has written to stdout so far.
    [[nodiscard]] std::string out_so_far() const;
    [[nodiscard]] pid_t pid() const { return pid_; }
    void signal(int number);
    // Waits for its end, at most options.seconds from its start.
    ProcessResult wait();

  private:
    std::filesystem::path outputs_;
    double seconds_ = 0, start_ = 0;
    pid_t pid_ = -1;
    int raw_status_ = 0;
    rusage usage_{};
    bool ended_ = false;
};

ProcessResult run(const std::vector<std::string>& command, const ProcessOptions& options = {});

// The program under test.
ProcessResult sublet(std::vector<std::string> arguments, const ProcessOptions& options = {});

// True when PATH has it.
bool has_program(const std::string& name);

}  // namespace sublet::test
