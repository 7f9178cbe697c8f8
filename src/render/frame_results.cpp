#include "render/frame_results.h"

#include "render/views.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

#include "shaders/shared/lights.h"
#include "shaders/shared/scene.h"

namespace sublet::render {
namespace {

constexpr std::size_t kResultsKept = 4096;

std::size_t phases_of(const CountedFrame& frame) {
    return frame.phases + (frame.blends ? 1 : 0);
}

std::optional<double> span_ms(const gpu::FrameTimes& times, const std::string& name) {
    const auto found = std::ranges::find(times.spans, name, &gpu::PassTime::name);
    return found == times.spans.end() ? std::nullopt : std::optional(found->ms);
}

}  // namespace

void FrameResults::begin(const gpu::Frame& frame, std::optional<gpu::FrameTimes> times) {
    Slot& slot = slots_[frame.slot];
    if (times) slot.times = std::move(*times);
    collect(slot);
    slot.views.clear();
}

void FrameResults::add_view(const gpu::Frame& frame, const DrawnView& view) {
    slots_[frame.slot].views.push_back(view);
}

void FrameResults::end(const gpu::Frame& frame, bool fresh_pipelines, bool plain) {
    Slot& slot = slots_[frame.slot];
    slot.number = frame.number;
    slot.fresh_pipelines = fresh_pipelines || plain;
    slot.plain = plain;
    slot.pending = true;
}

void FrameResults::finish(std::vector<gpu::FrameTimes> times) {
    for (gpu::FrameTimes& of_frame : times) {
        slots_[of_frame.frame % gpu::kFramesInFlight].times = std::move(of_frame);
    }
    std::array<Slot*, gpu::kFramesInFlight> oldest_first{};
    std::ranges::transform(slots_, oldest_first.begin(), [](Slot& slot) { return &slot; });
    std::ranges::sort(oldest_first, {}, &Slot::number);
    for (Slot* slot : oldest_first) collect(*slot);
}

std::vector<FrameResult> FrameResults::take() {
    std::vector<FrameResult> out(std::make_move_iterator(results_.begin()), std::make_move_iterator(results_.end()));
    results_.clear();
    return out;
}

Counters FrameResults::counters_of(DrawnView view) {
    const auto* states = static_cast<const shared::CullState*>(view.readback->mapped());
    const CpuCounters& cpu = view.frame.cpu;
    Counters counters;
    counters.instances = view.frame.instances;
    counters.shadows = view.shadows;
    for (std::size_t phase = 0; phase < phases_of(view.frame); ++phase) {
        const shared::CullState* rounds = states + phase * view.rounds;
        PhaseCounts& counts = view.frame.counts[phase < view.frame.phases ? phase : 2];
        for (std::uint32_t round = 0; round < view.rounds; ++round) {
            const shared::uint* words = rounds[round].counters;
            for (std::size_t i = 0; i < shared::kCounters; ++i) {
                counts[i] += std::uint64_t{words[i * 2]} | std::uint64_t{words[i * 2 + 1]} << 32U;
            }
        }
        std::uint64_t taken = 1;  // what the last one leaves takes one more, without lists
        while (taken <= view.rounds && rounds[taken - 1].undone.count != 0) ++taken;
        counters.rounds = std::max(counters.rounds, taken);
    }
    const auto later = [&](std::uint32_t which) { return view.frame.counts[1][which] + view.frame.counts[2][which]; };
    const auto all = [&](std::uint32_t which) { return view.frame.counts[0][which] + later(which); };
    // The last phase looks at everything that does not blend.
    counters.instances_visible = cpu.instances_visible +
                                 view.frame.counts[view.frame.phases - 1][shared::kCounterInstancesVisible] +
                                 view.frame.counts[2][shared::kCounterInstancesVisible];
    counters.meshlets_tested = all(shared::kCounterMeshletsTested);
    counters.meshlets_drawn_phase1 = view.frame.counts[0][shared::kCounterMeshletsDrawn];
    counters.meshlets_drawn_phase2 = later(shared::kCounterMeshletsDrawn);
    counters.primitives_drawn = cpu.primitives_drawn + all(shared::kCounterPrimitivesDrawn);
    counters.primitives_tested = all(shared::kCounterPrimitivesTested);
    counters.raster_large = all(shared::kCounterRasterLarge);
    counters.raster_left = all(shared::kCounterRasterLeft);
    counters.overflow = all(shared::kCounterOverflow);
    if (counters.primitives_tested == 0) {  // no backend here tests single primitives
        counters.primitives_tested = counters.primitives_drawn;
    }
    view.frame.rest = counters.rounds > view.rounds;
    if (view.counted) {
        counters.cut = cut_counters(view.frame);
        counters.funnel = make_funnel(view.frame);
    }
    if (view.exposure != nullptr) {
        float exposure = 0.0F;
        std::memcpy(&exposure, view.exposure->mapped(), sizeof(exposure));
        counters.ev = std::log2(exposure);
    }
    if (view.lights != nullptr) {
        shared::ClusterState state{};
        std::memcpy(&state, view.lights->mapped(), sizeof(state));
        const bool ranged = state.lights != state.everywhere;
        counters.lights = {
            .lights = state.lights,
            .everywhere = state.everywhere,
            .in_view = state.everywhere + state.in_view,
            .clusters = ranged ? std::uint64_t{state.tiles.x} * state.tiles.y * shared::kClusterSlices : 0,
            .listed = state.listed,
            .too_long = state.too_long};
    }
    return counters;
}

double FrameResults::rounds_taken(const DrawnView& view) {
    const auto* states = static_cast<const shared::CullState*>(view.readback->mapped());
    double most = 0.0;
    for (std::size_t phase = 0; phase < phases_of(view.frame); ++phase) {
        const shared::CullState* rounds = states + phase * view.rounds;
        std::uint32_t full = 0;
        while (full < view.rounds && rounds[full].undone.count != 0) ++full;
        double taken = full;
        if (full == view.rounds || !view.frame.chooses_levels) {
            taken += 1.0;  // without levels a frame may come to show the whole scene
        } else {
            for (std::size_t c = 0; c < view.slots.size(); ++c) {
                const shared::ClassSurvivors& survivors = rounds[full].survivors.classes[c];
                const double used = std::max(survivors.draw.instances, survivors.claimed);
                if (view.slots[c] != 0) taken = std::max(taken, full + used / view.slots[c]);
            }
        }
        most = std::max(most, taken);
    }
    return most;
}

void FrameResults::collect(Slot& slot) {
    if (!slot.pending) return;
    slot.pending = false;
    newest_ = {};
    newest_.number = slot.number;
    for (const DrawnView& view : slot.views) {
        newest_.views.push_back(
            {view.view, view.rounds, rounds_taken(view), counters_of(view), span_ms(slot.times, view_name(view.view))});
    }
    if (!newest_.views.empty()) newest_.counters = newest_.views.back().counters;
    newest_.times = std::move(slot.times);
    newest_.fresh_pipelines = slot.fresh_pipelines;
    newest_.plain = slot.plain;
    results_.push_back(newest_);
    if (results_.size() > kResultsKept) results_.pop_front();
}

}  // namespace sublet::render
