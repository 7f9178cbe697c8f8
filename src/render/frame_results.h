// What frames tell when the GPU is done with them: counters of each view, and times.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "gpu/frame.h"
#include "gpu/profiler.h"
#include "gpu/resources.h"
#include "render/funnel.h"
#include "render/renderer.h"

namespace sublet::render {

class FrameResults {
  public:
    // Takes the results of the frame that used this slot before, whose GPU work is over, and begins a new one.
    void begin(const gpu::Frame& frame, std::optional<gpu::FrameTimes> times);
    // A view that the frame drew.
    struct DrawnView {
        std::uint32_t view = 0;
        const gpu::Buffer* readback = nullptr;  // will hold a CullState for each round of each of its phases
        std::optional<ShadowCounters> shadows = {};
        const gpu::Buffer* exposure = nullptr;  // will hold the exposure, where it is measured
        const gpu::Buffer* lights = nullptr;    // will hold a ClusterState, where lights shine
        std::uint32_t rounds = 1;
        PerClass<std::uint32_t> slots{};  // of the lists of a round
        bool counted = false;             // FramePlan::collect_counters
        CountedFrame frame;               // but for what the GPU counts, and `rest`
    };
    void add_view(const gpu::Frame& frame, const DrawnView& view);
    // The frame will run.
    void end(const gpu::Frame& frame, bool fresh_pipelines, bool plain);
    // All frames are over: takes their results, oldest first. `times`: those that were still out.
    void finish(std::vector<gpu::FrameTimes> times);

    [[nodiscard]] const FrameResult& newest() const { return newest_; }
    // All since the last call, oldest first (the newest 4096 are kept).
    [[nodiscard]] std::vector<FrameResult> take();

  private:
    struct Slot {
        std::uint64_t number = 0;  // gpu::Frame::number
        bool pending = false;
        bool fresh_pipelines = false, plain = false;
        gpu::FrameTimes times;
        std::vector<DrawnView> views;
    };

    [[nodiscard]] static Counters counters_of(DrawnView view);
    [[nodiscard]] static double rounds_taken(const DrawnView& view);  // for RoundCount
    void collect(Slot& slot);

    std::array<Slot, gpu::kFramesInFlight> slots_;
    FrameResult newest_;
    std::deque<FrameResult> results_;
};

}  // namespace sublet::render
