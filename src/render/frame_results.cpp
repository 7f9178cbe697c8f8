#include "render/frame_results.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

constexpr std::size_t kResultsKept = 4096;

}  // namespace

void FrameResults::begin(const gpu::Frame& frame, std::optional<gpu::FrameTimes> times) {
    Slot& slot = slots_[frame.slot];
    if (times) slot.times = std::move(*times);
    collect(slot);
    slot.views.clear();
}

void FrameResults::add_view(const gpu::Frame& frame, std::uint32_t view, const gpu::Buffer& readback,
                            std::size_t phases, std::uint32_t rounds, std::uint64_t instances, const CpuCounters& cpu) {
    slots_[frame.slot].views.push_back({view, &readback, phases, rounds, instances, cpu});
}

void FrameResults::end(const gpu::Frame& frame, bool fresh_pipelines) {
    Slot& slot = slots_[frame.slot];
    slot.number = frame.number;
    slot.fresh_pipelines = fresh_pipelines;
    slot.pending = true;
}

void FrameResults::finish(std::vector<gpu::FrameTimes> times) {
    for (gpu::FrameTimes& of_frame : times) {
        slots_[of_frame.frame % gpu::kFramesInFlight].times = std::move(of_frame);
    }
    std::array<Slot*, gpu::kFramesInFlight> oldest_first{};
    std::transform(slots_.begin(), slots_.end(), oldest_first.begin(), [](Slot& slot) { return &slot; });
    std::sort(oldest_first.begin(), oldest_first.end(),
              [](const Slot* a, const Slot* b) { return a->number < b->number; });
    for (Slot* slot : oldest_first) collect(*slot);
}

std::vector<FrameResult> FrameResults::take() {
    std::vector<FrameResult> out(std::make_move_iterator(results_.begin()), std::make_move_iterator(results_.end()));
    results_.clear();
    return out;
}

Counters FrameResults::counters_of(const DrawnView& view) {
    const auto* states = static_cast<const shared::CullState*>(view.readback->mapped());
    const auto counter = [&](std::size_t phase, std::uint32_t which) {
        std::uint64_t sum = 0;
        for (std::uint32_t round = 0; round < view.rounds; ++round) {
            const shared::uint* words = states[phase * view.rounds + round].counters;
            sum += std::uint64_t{words[which * 2]} | std::uint64_t{words[which * 2 + 1]} << 32U;
        }
        return sum;
    };
    const std::size_t last = view.phases - 1;  // looks at everything
    Counters counters;
    counters.instances = view.instances;
    for (std::size_t phase = 0; phase <= last; ++phase) {
        std::uint64_t rounds = 1;  // what the last one leaves takes one more, without lists
        while (rounds <= view.rounds && states[phase * view.rounds + rounds - 1].undone.count != 0) ++rounds;
        counters.rounds = std::max(counters.rounds, rounds);
    }
    counters.instances_visible = view.cpu.instances_visible + counter(last, shared::kCounterInstancesVisible);
    counters.meshlets_drawn_phase1 = counter(0, shared::kCounterMeshletsDrawn);
    counters.meshlets_drawn_phase2 = last == 0 ? 0 : counter(last, shared::kCounterMeshletsDrawn);
    counters.primitives_drawn = view.cpu.primitives_drawn;
    for (std::size_t phase = 0; phase <= last; ++phase) {
        counters.primitives_drawn += counter(phase, shared::kCounterPrimitivesDrawn);
        counters.primitives_tested += counter(phase, shared::kCounterPrimitivesTested);
        counters.raster_large += counter(phase, shared::kCounterRasterLarge);
        counters.raster_left += counter(phase, shared::kCounterRasterLeft);
        counters.meshlets_tested += counter(phase, shared::kCounterMeshletsTested);
        counters.overflow += counter(phase, shared::kCounterOverflow);
    }
    if (counters.primitives_tested == 0) {  // no backend here tests single primitives
        counters.primitives_tested = counters.primitives_drawn;
    }
    return counters;
}

void FrameResults::collect(Slot& slot) {
    if (!slot.pending) return;
    slot.pending = false;
    newest_ = {};
    for (const DrawnView& view : slot.views) newest_.views.push_back({view.view, view.rounds, counters_of(view)});
    if (!newest_.views.empty()) newest_.counters = newest_.views.back().counters;
    newest_.times = std::move(slot.times);
    newest_.fresh_pipelines = slot.fresh_pipelines;
    results_.push_back(newest_);
    if (results_.size() > kResultsKept) results_.pop_front();
}

}  // namespace sublet::render
