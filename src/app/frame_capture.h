// What view, render and bench offer to capture tools: frames that RenderDoc captures, and a pause to attach one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "gpu/renderdoc.h"

namespace CLI {
class App;
}
namespace sublet::gpu {
class Instance;
}

namespace sublet::app {

struct CaptureOptions {
    struct Frames {
        std::uint32_t first = 0, count = 1;
    };
    std::optional<Frames> frames;
    bool wait_for_key = false;
};

// --capture and --wait-for-key.
void add_capture_options(CLI::App& command, CaptureOptions& options);

// Throws UsageError where a frame is to be captured that is not among the first `frames`.
void check_captured(const CaptureOptions& options, std::uint32_t frames);

// Where it was asked for: tells the process's number on stderr and waits for a line, or the end, of standard input.
void wait_for_key(const CaptureOptions& options);

// Has RenderDoc capture the frames that were asked for, each into a file of its own.
class FrameCapture {
  public:
    // Writes a note where frames are to be captured and RenderDoc is not there to do it.
    explicit FrameCapture(const CaptureOptions& options);

    // Calls `draw`, which records, submits and, in a window, presents this frame. Frames are counted from 0. What
    // became of a capture is written as a note.
    void around(const gpu::Instance& instance, std::uint64_t frame, const std::function<void()>& draw) const;

  private:
    CaptureOptions::Frames frames_{0, 0};
    std::optional<gpu::RenderDoc> renderdoc_;
};

}  // namespace sublet::app
