// What is alike on all systems; the rest is in process_posix.cpp and process_windows.cpp.
#include "process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "base/files.h"
#include "base/path_text.h"
#include "base/system.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of "NAME=value". The first letter may be "=": Windows has such.
std::string name_of(const std::string& entry) {
    return entry.substr(0, entry.find('=', 1));
}

// Entries with changes made: one of them that has no "=" takes a variable away.
std::vector<std::string> with_changes(std::vector<std::string> entries, const std::vector<std::string>& changes) {
    for (const std::string& change : changes) {
        std::erase_if(entries,
                      [&](const std::string& entry) { return same_variable(name_of(entry), name_of(change)); });
        if (change.find('=') != std::string::npos) entries.push_back(change);
    }
    return entries;
}

// Programs keep their things here, and not where the user's are; what one test kept, no other run finds. Mesa alone
// keeps its shaders where it always does: to compile them takes long.
std::vector<std::string> own_home() {
    static const TemporaryFolder home;
    std::vector<std::string> variables{"XDG_CACHE_HOME=" + path_text(home / "cache"),
                                       "XDG_STATE_HOME=" + path_text(home / "state")};
    const std::optional<std::string> cache = environment_variable("XDG_CACHE_HOME");
    const std::optional<std::string> user = environment_variable("HOME");
    if (!environment_variable("MESA_SHADER_CACHE_DIR") && (cache || user)) {
        variables.push_back("MESA_SHADER_CACHE_DIR=" + (cache ? *cache : *user + "/.cache"));
    }
    return variables;
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
    : outputs_(new_temporary_folder("sublet-process-")), seconds_(options.seconds), start_(now()) {
    start(command, options, with_changes(with_changes(environment_entries(), own_home()), options.environment));
}

Process::~Process() {
    if (running()) kill();
    std::error_code ignored;
    std::filesystem::remove_all(outputs_, ignored);
}

std::string Process::out_so_far() const {
    return read_text(outputs_ / "out");
}

ProcessResult Process::wait() {
    while (running()) {
        if (now() - start_ > seconds_) {
            ADD_FAILURE() << "still running after " << seconds_ << " s";
            kill();
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    return {status_, read_text(outputs_ / "out"), read_text(outputs_ / "err"), peak_bytes_};
}

ProcessResult run(const std::vector<std::string>& command, const ProcessOptions& options) {
    return Process(command, options).wait();
}

std::string sublet_program() {
    return path_text(absolute_path(text_path(SUBLET_PROGRAM)));
}

ProcessResult sublet(std::vector<std::string> arguments, const ProcessOptions& options) {
    arguments.insert(arguments.begin(), sublet_program());
    return run(arguments, options);
}

}  // namespace sublet::test
