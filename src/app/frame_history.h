// The last frames of a viewer: medians to show, series to draw as graphs, and all of it for a spreadsheet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/output.h"
#include "render/renderer.h"

namespace sublet::app {

// The medians of the last second, as panels show them. What has no time is left out.
struct FrameSummary {
    struct Pass {
        std::string name;
        double ms = 0;
    };
    std::optional<double> interval_ms, cpu_ms, gpu_ms;
    std::vector<Pass> passes;  // in frame order; behind them what is between passes (gpu::kBetweenPasses)
    double most_ms = 0;        // of the GPU and from frame to frame, but for the few frames that stick out

    // Of `passes`, what is between them included. Null: none was timed.
    [[nodiscard]] const Pass* slowest() const;
};

// What takes longest of a frame, for running text: 'longest: "draw 1" 10.31', 'longest: between passes 102.30'. Names
// of passes are in quotes, which tells them from words. Empty where nothing was timed.
[[nodiscard]] std::string longest_text(const FrameSummary& times);

// Finished frames, the newest kFrames of them. Memory is bounded, and nothing is allocated for a frame once the names
// of passes are known.
class FrameHistory {
  public:
    static constexpr std::size_t kFrames = 240;
    static constexpr std::size_t kMostPasses = 64;  // different names; what comes beyond is left out

    // One of the times of a frame, in ms.
    enum class Time : std::uint8_t { kInterval, kCpu, kGpu, kBetweenPasses };

    struct Window {  // of the series below
        double min = 0, median = 0, p95 = 0, max = 0;
    };

    // A frame was submitted: `number` is gpu::Frame's. `interval_ms`: since the frame before, nothing where there was a
    // pause; `cpu_ms`: recording and submitting.
    void submitted(std::uint64_t number, std::optional<double> interval_ms, double cpu_ms);
    // A frame is over: its result came back. `timestamps`: whether the device has them.
    void add(const render::FrameResult& frame, bool timestamps = true);
    void clear();

    // Frames there are. A series goes from the oldest to the newest of them.
    [[nodiscard]] std::size_t size() const { return size_; }
    // How many of the newest frames make up a second, by their intervals.
    [[nodiscard]] std::size_t last_second() const { return last_second_; }

    // Passes that some frame here has, in frame order.
    [[nodiscard]] const std::vector<std::string>& passes() const { return names_; }

    // Over the last second. Frames in which pipelines were made are left out, and so are those without this time:
    // nothing where none is left.
    [[nodiscard]] std::optional<double> median(Time time) const;
    [[nodiscard]] std::optional<double> median_of_pass(std::size_t pass) const;
    // All of those.
    [[nodiscard]] FrameSummary summary() const;

    // For graphs, oldest first, a value a frame: NaN where there is none, and in frames in which pipelines were made.
    // Fills `out` and keeps its capacity.
    void series(Time time, std::vector<float>& out) const;
    void series_of_pass(std::size_t pass, std::vector<float>& out) const;
    // Of all frames there are, those left out that have none.
    [[nodiscard]] std::optional<Window> window(Time time) const;
    [[nodiscard]] std::optional<Window> window_of_pass(std::size_t pass) const;

    // A row a frame, a column for each time and pass, and one for each counter; the first row names them, with units.
    [[nodiscard]] std::string csv() const;
    // The same: {"columns": [...], "frames": [[...], ...]}, null where there is nothing.
    [[nodiscard]] Json json() const;

  private:
    static constexpr float kNone = -1.0F;       // there is no such time
    using Column = std::array<float, kFrames>;  // a value a frame, in a ring

    struct Entry {
        std::uint64_t number = 0;
        render::Counters counters;
    };
    struct Pass {
        std::size_t slot;         // in pass_columns_
        std::uint64_t last_seen;  // by the number of frames added then
    };
    struct Submitted {
        std::uint64_t number = 0;
        float interval = kNone, cpu = kNone;
    };

    // Where in the ring a frame is; 0: the newest.
    [[nodiscard]] std::size_t at(std::size_t age) const { return (next_ + kFrames - 1 - age) % kFrames; }
    [[nodiscard]] const Column& column(Time time) const { return time_columns_[static_cast<std::size_t>(time)]; }
    [[nodiscard]] const Column& column(std::size_t pass) const { return pass_columns_[passes_[pass].slot]; }
    [[nodiscard]] std::size_t place_of(std::string_view name, std::size_t after);
    void forget_passes();
    void measure_last_second();
    // Of the newest `count` frames, those that have a value, without those of fresh pipelines.
    std::vector<float>& gather(std::size_t count, const Column& column) const;
    void fill(std::vector<float>& out, const Column& column) const;

    std::vector<Entry> entries_ = std::vector<Entry>(kFrames);  // rings
    std::array<bool, kFrames> fresh_pipelines_{};
    std::array<Column, 4> time_columns_{};
    std::vector<Column> pass_columns_ = std::vector<Column>(kMostPasses);
    std::size_t next_ = 0, size_ = 0, last_second_ = 0;
    std::vector<std::string> names_;      // in frame order
    std::vector<Pass> passes_;            // of each name
    std::array<Submitted, 8> submitted_;  // by number: more than are in flight
    std::uint64_t added_ = 0;
    mutable std::vector<float> sorted_;  // kept for its capacity
};

}  // namespace sublet::app
