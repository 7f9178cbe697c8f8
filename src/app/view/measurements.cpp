#include "app/view/measurements.h"

#include <algorithm>

#include "app/session.h"
#include "app/view/window_gpu.h"

namespace sublet::app {

namespace {

constexpr double kMemoryEverySeconds = 0.25;
constexpr double kTimesEverySeconds = 0.2;      // nobody reads faster
constexpr std::size_t kFramesWithoutPause = 8;  // of a new plan or window: each shows its times at once
constexpr std::size_t kResultsKept = 512;       // frames that add_to() tells of

}  // namespace

Json StartTimes::json() const {
    return {{"window", optional_json(window_ms)},
            {"read", optional_json(read_ms)},
            {"scene", optional_json(scene_ms)},
            {"picture", optional_json(picture_ms)},
            {"full_picture", optional_json(full_picture_ms)}};
}

void Measurements::submitted(std::uint64_t number, double now, double cpu_ms, bool fresh_pipelines) {
    const bool timed = frame_ended_ >= 0 && cold_frames_ == 0;
    history_.submitted(number, timed ? std::optional((now - frame_ended_) * 1e3) : std::nullopt, cpu_ms);
    frame_ended_ = now;
    cold_frames_ = fresh_pipelines ? gpu::kFramesInFlight : std::max(cold_frames_ - 1, 0);
    ++scene_frame_;
    ++shown_;
}

void Measurements::take_results(WindowGpu& gpu, SplitTimes& split, double now) {
    for (const render::FrameResult& result : gpu.renderer->take_results()) {
        history_.add(result, gpu.device.capabilities().timestamps);
        split.add(result);
        if (!start.picture_ms) start.picture_ms = now * 1e3;
        if (!start.full_picture_ms && !result.plain) start.full_picture_ms = now * 1e3;
        results_.push_back(result);
        if (results_.size() > kResultsKept) results_.pop_front();
    }
}

double Measurements::panels_ms() const {
    const std::size_t count = std::min<std::size_t>(shown_, panels_ms_.size());
    if (count == 0) return 0.0;
    auto sorted = panels_ms_;
    auto* const middle = sorted.begin() + count / 2;
    std::nth_element(sorted.begin(), middle, sorted.begin() + count);
    return *middle;
}

void Measurements::look_at_memory(const WindowGpu& gpu, double now) {
    if (now < memory_seen_at_ + kMemoryEverySeconds) return;
    memory_seen_at_ = now;
    memory_ = gpu.renderer->memory();
    device_memory_ = gpu.device.memory_usage();
}

void Measurements::look_at_times(double now) {
    if (history_.size() > kFramesWithoutPause && now < times_seen_at_ + kTimesEverySeconds) return;
    times_seen_at_ = now;
    times_ = history_.summary();
}

void Measurements::forget_scene() {
    history_.clear();
    results_.clear();
    memory_seen_at_ = -1.0;
    scene_frame_ = 0;
}

void Measurements::add_to(RunResult& run) const {
    run.frames = static_cast<std::uint32_t>(shown_);
    for (const render::FrameResult& frame : results_) {
        add_pass_times(frame, run.passes);
        if (frame.fresh_pipelines) continue;
        ++run.frames_timed;
        add_gpu_times(frame.times, run);
    }
    if (const auto cpu = history_.median(FrameHistory::Time::kCpu)) run.cpu_ms.push_back(*cpu);
    run.ambiguous = ambiguous;
}

}  // namespace sublet::app
