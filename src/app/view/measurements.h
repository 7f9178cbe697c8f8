// What the viewer measures: when its start was done, how long frames and panels take, and the memory they need.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>

#include "app/frame_history.h"
#include "app/output.h"
#include "app/view/split_times.h"
#include "gpu/device.h"
#include "render/renderer.h"

namespace sublet::app {

struct RunResult;
struct WindowGpu;

// When what came first was there, in ms since the start: the window, the scene in memory, the scene ready to be drawn
// on the device, the end of its first frame, and of the first that was not plain.
struct StartTimes {
    std::optional<double> window_ms, read_ms, scene_ms, picture_ms, full_picture_ms;

    [[nodiscard]] Json json() const;
};

// `now` is in seconds since the start, rising.
class Measurements {
  public:
    // A frame was submitted; `fresh_pipelines`: some were made in it.
    void submitted(std::uint64_t number, double now, double cpu_ms, bool fresh_pipelines);
    // What passes until the next frame is not its time.
    void sleep() { frame_ended_ = -1; }
    [[nodiscard]] bool slept() const { return frame_ended_ < 0; }
    // Takes what came back of frames that are over; `split` gets it too.
    void take_results(WindowGpu& gpu, SplitTimes& split, double now);
    // What the panels took of the frame to come: ms that the CPU worked for this thread. Other threads and programs,
    // the GPU among them where a CPU plays one, interrupt it without being counted.
    void add_panels(double ms) { panels_ms_[shown_ % panels_ms_.size()] = ms; }
    [[nodiscard]] double panels_ms() const;  // median
    // Asks how much memory is taken, now and then: some drivers take long to tell.
    void look_at_memory(const WindowGpu& gpu, double now);
    // Makes times() those of now, unless they were a moment ago.
    void look_at_times(double now);

    // Times of another plan or window say nothing of this one; of another scene, nothing of before does.
    void forget_times() { history_.clear(); }
    void forget_scene();

    StartTimes start;
    std::optional<render::AmbiguousPixels> ambiguous;  // of the last frame that they were counted of

    [[nodiscard]] std::uint64_t shown() const { return shown_; }               // frames in all
    [[nodiscard]] std::uint64_t scene_frames() const { return scene_frame_; }  // and of this scene
    [[nodiscard]] const FrameHistory& history() const { return history_; }
    // The newest frame that is over; null before the first of this scene.
    [[nodiscard]] const render::FrameResult* newest() const { return results_.empty() ? nullptr : &results_.back(); }
    // The medians of the last second, as they are shown.
    [[nodiscard]] const FrameSummary& times() const { return times_; }
    [[nodiscard]] const render::MemoryUse& memory() const { return memory_; }
    [[nodiscard]] const gpu::MemoryUsage& device_memory() const { return device_memory_; }
    // Adds what is measured of frames.
    void add_to(RunResult& run) const;

  private:
    int cold_frames_ = 0;      // still to come: what compiling held up is not their time
    double frame_ended_ = -1;  // below 0: it slept since
    std::uint64_t scene_frame_ = 0, shown_ = 0;
    FrameHistory history_;
    FrameSummary times_;  // of it
    double times_seen_at_ = -1, memory_seen_at_ = -1;
    std::deque<render::FrameResult> results_;  // the newest
    std::array<double, 60> panels_ms_{};
    render::MemoryUse memory_;
    gpu::MemoryUsage device_memory_;
};

}  // namespace sublet::app
