#include "base/log.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/printable.h"

namespace sublet {
namespace {

struct LogState {
    std::mutex mutex;
    LogSink sink;
    std::unordered_set<std::string> seen;
    std::vector<NoteCollector*> collectors;
};

LogState& state() {
    // Never destroyed: threads and other statics may log while the process ends.
    static LogState* const instance = new LogState;
    return *instance;
}

void write_locked(const LogState& log, LogLevel level, std::string_view message) {
    if (log.sink) {
        log.sink(level, message);
        return;
    }
    // One call for the whole line, so that other writers to stderr do not split it.
    std::string line = level == LogLevel::kNote ? "note: " : "warning: ";
    line.append(message).push_back('\n');
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void note(std::string_view message) {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    write_locked(log, LogLevel::kNote, message);
}

void warn(std::string_view message) {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    write_locked(log, LogLevel::kWarning, message);
}

void note_once(std::string_view message) {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    for (NoteCollector* collector : log.collectors) {
        std::vector<std::string>& notes = collector->notes_;
        if (std::ranges::find(notes, message) == notes.end()) notes.emplace_back(message);
    }
    // Names of a scene are in them.
    if (log.seen.emplace(message).second) write_locked(log, LogLevel::kNote, printable(message));
}

NoteCollector::NoteCollector() {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    log.collectors.push_back(this);
}

NoteCollector::~NoteCollector() {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    log.collectors.erase(std::ranges::find(log.collectors, this));
}

std::vector<std::string> NoteCollector::take() {
    const std::lock_guard lock(state().mutex);
    return std::exchange(notes_, {});
}

LogSink set_log_sink(LogSink sink) {
    LogState& log = state();
    const std::lock_guard lock(log.mutex);
    log.seen.clear();
    return std::exchange(log.sink, std::move(sink));
}

}  // namespace sublet
