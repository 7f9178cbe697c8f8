#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sublet {

/// kNote: worth knowing (what was ignored, what was chosen). kWarning: the result may not be what was wanted.
enum class LogLevel { kNote, kWarning };

/// Writes one line to stderr ("note: ..." or "warning: ..."). Any thread may call any of these.
void note(std::string_view message);
void warn(std::string_view message);

/// As note(), but the same message is written once in the life of the process (or since the last set_log_sink).
void note_once(std::string_view message);

/// The messages of note_once() while it lives, whichever thread they come from, whether they were written before or
/// not; each once. Collectors may lie within one another: each gets them all.
class NoteCollector {
  public:
    NoteCollector();
    ~NoteCollector();
    NoteCollector(const NoteCollector&) = delete;
    NoteCollector& operator=(const NoteCollector&) = delete;

    std::vector<std::string> take();

  private:
    friend void note_once(std::string_view message);
    std::vector<std::string> notes_;
};

using LogSink = std::function<void(LogLevel level, std::string_view message)>;

/// Sends messages to `sink` instead of stderr; an empty one restores stderr. Returns the sink that was set before. The
/// sink is called by one thread at a time and must not log itself.
LogSink set_log_sink(LogSink sink);

}  // namespace sublet
