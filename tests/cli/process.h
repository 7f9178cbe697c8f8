// Other programs, run from a test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sublet::test {

struct ProcessOptions {
    std::filesystem::path folder = {};          // to run in; empty: the current one
    std::vector<std::string> environment = {};  // "NAME=value", over what the test itself has; "NAME" unsets
    double seconds = 120;                       // then it is killed, and the test fails
    bool interruptible = false;                 // by interrupt(): on Windows that takes a console
};

struct ProcessResult {
    int status = -1;  // exit status; negative when it was ended: -N by signal N, on Windows by an exception
    std::string out, err;
    std::uint64_t peak_bytes = 0;  // the most memory that it held

    // Lines of stderr that are not notes.
    [[nodiscard]] std::vector<std::string> error_lines() const;
};

// A program that runs beside the test; ended, if need be, with it.
class Process {
  public:
    // command[0] is looked for in PATH. Its stdin is empty; stdout and stderr are kept. All text is UTF-8.
    explicit Process(const std::vector<std::string>& command, const ProcessOptions& options = {});
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    [[nodiscard]] bool running();
    // What it has written to stdout so far.
    [[nodiscard]] std::string out_so_far() const;
    [[nodiscard]] int pid() const;
    // As by Ctrl-C; on Windows by Ctrl-Break, which a program alone can be sent. False: it could not be done.
    bool interrupt();
    // Waits for its end, at most options.seconds from its start.
    ProcessResult wait();

  private:
    struct System;  // of the system's own

    // Without `options`' environment, which is in `environment` already.
    void start(const std::vector<std::string>& command, const ProcessOptions& options,
               const std::vector<std::string>& environment);
    void kill();

    std::filesystem::path outputs_;
    double seconds_ = 0, start_ = 0;
    std::shared_ptr<System> system_;
    bool ended_ = false;
    int status_ = -1;
    std::uint64_t peak_bytes_ = 0;
};

ProcessResult run(const std::vector<std::string>& command, const ProcessOptions& options = {});

// The program under test.
ProcessResult sublet(std::vector<std::string> arguments, const ProcessOptions& options = {});
[[nodiscard]] std::string sublet_program();

// The same, by a line as people type it: "sublet render ...", by sh, on Windows by cmd.exe.
ProcessResult run_line(const std::string& line, const ProcessOptions& options = {});

// True when PATH has it.
bool has_program(const std::string& name);

// How a program that was interrupted ends.
extern const int kInterrupted;

// This process's environment: "NAME=value" each.
[[nodiscard]] std::vector<std::string> environment_entries();

// Whether both are names of the same variable.
[[nodiscard]] bool same_variable(const std::string& a, const std::string& b);

}  // namespace sublet::test
