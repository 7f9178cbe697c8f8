#include "app/frame_capture.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "app/commands.h"
#include "base/log.h"
#include "base/number_text.h"
#include "base/system.h"
#include "gpu/device.h"

namespace sublet::app {

namespace {

constexpr const char* kGroup = "Capturing with other tools";

CaptureOptions::Frames parse_frames(const std::string& text) {
    const std::size_t comma = text.find(',');
    const auto first = parse_number<std::uint32_t>(text.substr(0, comma));
    const auto count = comma == std::string::npos ? std::optional<std::uint32_t>(1)
                                                  : parse_number<std::uint32_t>(text.substr(comma + 1));
    if (!first || !count || *count == 0) {
        throw CLI::ValidationError("--capture: '" + text +
                                   "' is not the number of a frame, from 0, or that and how many, as in 10 or 10,3");
    }
    return {*first, *count};
}

}  // namespace

void add_capture_options(CLI::App& command, CaptureOptions& options) {
    command
        .add_option_function<std::string>(
            "--capture", [&options](const std::string& text) { options.frames = parse_frames(text); },
            "Have RenderDoc capture this frame, counted from 0, or so many from it on.\n"
            "Start the program with it: renderdoccmd capture sublet ...")
        ->type_name("FRAME[,COUNT]")
        ->group(kGroup);
    command
        .add_flag("--wait-for-key", options.wait_for_key,
                  "Tell the process's number and wait for Enter before the first frame, so that a tool can attach")
        ->group(kGroup);
}

void check_captured(const CaptureOptions& options, std::uint32_t frames) {
    if (!options.frames || std::uint64_t{options.frames->first} + options.frames->count <= frames) return;
    throw UsageError("--capture: frame " +
                     std::to_string(std::uint64_t{options.frames->first} + options.frames->count - 1) +
                     " is not drawn: the last one is " + std::to_string(frames - 1));
}

void wait_for_key(const CaptureOptions& options) {
    if (!options.wait_for_key) return;
    std::cerr << "process " << process_number() << " waits for a tool: press Enter to go on\n" << std::flush;
    std::string line;
    std::getline(std::cin, line);
}

FrameCapture::FrameCapture(const CaptureOptions& options) {
    if (!options.frames) return;
    renderdoc_ = gpu::RenderDoc::find();
    if (renderdoc_) {
        frames_ = *options.frames;
    } else {
        note(
            "--capture has no effect. RenderDoc is not loaded; start the program with it: renderdoccmd capture sublet "
            "...");
    }
}

void FrameCapture::around(const gpu::Instance& instance, std::uint64_t frame, const std::function<void()>& draw) const {
    if (frame < frames_.first || frame - frames_.first >= frames_.count) {
        draw();
        return;
    }
    renderdoc_->start(instance.handle());
    draw();
    const std::optional<std::string> file = renderdoc_->end(instance.handle());
    const std::string what = "frame " + std::to_string(frame);
    if (file) {
        note("RenderDoc captured " + what + ": " + *file);
    } else {
        warn("RenderDoc did not capture " + what);
    }
}

}  // namespace sublet::app
