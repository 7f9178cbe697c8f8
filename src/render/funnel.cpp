#include "render/funnel.h"

#include "render/settings/backend_info.h"

namespace sublet::render {
namespace {

using namespace shared;

// Of what followed the first phase.
std::uint64_t later(const CountedFrame& frame, std::uint32_t counter) {
    return frame.counts[1][counter] + frame.counts[2][counter];
}
std::uint64_t all(const CountedFrame& frame, std::uint32_t counter) {
    return frame.counts[0][counter] + later(frame, counter);
}

// Of bounds. `first`: the counter of those rejected as kOutside.
Funnel::Step bounds_step(const CountedFrame& frame, std::uint64_t total, std::uint32_t first, std::uint32_t drawn) {
    Funnel::Step step;
    step.total = total;
    step.rejected.frustum = all(frame, first);
    step.rejected.cone = all(frame, first + kFacesAway - kOutside);
    step.rejected.occlusion = all(frame, first + kHidden - kOutside);
    step.drawn_phase1 = frame.counts[0][drawn];
    step.drawn_phase2 = later(frame, drawn);
    return step;
}

// Where nothing is tested.
Funnel::Step all_drawn(std::uint64_t total) {
    return {.total = total, .rejected = {}, .drawn_phase1 = total, .drawn_phase2 = 0};
}

// What no phase tested by itself. Two phases leave out parts of what phase 1 drew and phase 2 found hidden as a whole.
// Phase 1 alone leaves out what has no bit. (Else nothing may be left: tests look for it.)
void add_untested(Funnel::Step& step, const CountedFrame& frame, std::uint64_t lost = 0) {
    const std::uint64_t known = step.rejected.sum() + step.drawn() + lost;
    const std::uint64_t untested = step.total > known ? step.total - known : 0;
    if (frame.by_bits) {
        step.rejected.frozen = untested;
    } else if (frame.phases == 2) {
        step.rejected.occlusion = step.rejected.occlusion.value_or(0) + untested;
    }
}

Funnel::Step triangles_step(const CountedFrame& frame, PrimitiveCulling culling) {
    Funnel::Step step;
    step.drawn_phase1 = frame.counts[0][kCounterPrimitivesDrawn] + frame.cpu.primitives_drawn;
    step.drawn_phase2 = later(frame, kCounterPrimitivesDrawn);
    const std::uint64_t tested = all(frame, kCounterPrimitivesTested);
    const auto rejected = [&](std::uint32_t verdict) {
        return all(frame, kCounterTrianglesRejected + verdict - kOutside);
    };
    switch (culling) {
        case PrimitiveCulling::kNone:
            step.total = step.drawn();
            return step;
        case PrimitiveCulling::kRaster:
            step.total = tested;
            step.rejected.undivided = step.total - step.drawn();
            return step;
        case PrimitiveCulling::kMeshShader:
        case PrimitiveCulling::kCompute:
            break;
    }
    step.total = culling == PrimitiveCulling::kCompute ? all(frame, kCounterTriangles) : tested;
    step.rejected.frustum = rejected(kOutside);
    step.rejected.backface = rejected(kFacesAway);
    step.rejected.no_pixel = rejected(kBetweenPixels);
    const bool bits = culling == PrimitiveCulling::kCompute && frame.detail == OcclusionDetail::kPrimitives;
    if (bits) {
        step.rejected.occlusion = rejected(kHidden);
        add_untested(step, frame);
    }
    return step;
}

// Where an instance was hidden by what phase 1 drew of it, nobody looked at the rest: that counts as of other levels.
Funnel::Step levels_step(const CountedFrame& frame, const CutCounters& cut) {
    Funnel::Step step;
    step.total = cut.all_meshlets;
    step.drawn_phase2 = later(frame, kCounterMeshletsTested);
    step.drawn_phase1 = cut.meshlets - step.drawn_phase2;
    (frame.by_bits ? step.rejected.frozen : step.rejected.level) = step.total - cut.meshlets;
    return step;
}

}  // namespace

std::optional<CutCounters> cut_counters(const CountedFrame& frame) {
    if (!frame.chooses_levels || frame.rest) return std::nullopt;
    CutCounters out;
    if (!culls_on_gpu(frame.backend)) {
        if (!frame.cpu.levels) return std::nullopt;
        out.all_meshlets = frame.cpu.levels->all_meshlets;
        out.meshlets = frame.cpu.meshlets + frame.cpu.meshlets_outside + frame.cpu.meshlets_facing_away;
        out.finest_triangles = frame.cpu.levels->finest_triangles;
        out.triangles = frame.cpu.levels->cut_triangles;
        out.drawn_triangles = frame.cpu.levels->drawn_triangles;
        return out;
    }
    out.all_meshlets = all(frame, kCounterMeshlets);
    out.meshlets = all(frame, kCounterMeshletsTested);
    out.finest_triangles = all(frame, kCounterFinestTriangles) + (all(frame, kCounterFinestTriangles + 1) << 16U);
    out.triangles = all(frame, kCounterCutTriangles);
    for (std::uint32_t level = 0; level < kCountedLevels; ++level) {
        out.drawn_triangles[level] = all(frame, kCounterLevelTriangles + level);
    }
    return out;
}

std::uint64_t Funnel::Rejected::sum() const {
    std::uint64_t sum = 0;
    for (const auto& reason : {level, frustum, cone, backface, no_pixel, occlusion, frozen, undivided}) {
        sum += reason.value_or(0);
    }
    return sum;
}

Funnel make_funnel(const CountedFrame& frame) {
    const BackendInfo& info = frame.backend;
    Funnel out;
    out.pixels = {.total = frame.pixels, .covered = all(frame, kCounterPixelsCovered)};
    if (const auto cut = cut_counters(frame)) out.levels = levels_step(frame, *cut);
    if (!culls_on_gpu(info)) {
        out.instances.total = frame.instances;
        out.instances.drawn_phase1 = frame.cpu.instances_visible;
        out.instances.rejected.frustum = frame.instances - frame.cpu.instances_visible;
        out.meshlets = all_drawn(frame.cpu.meshlets);
        if (frame.cpu.selects_meshlets) {
            out.meshlets->total += frame.cpu.meshlets_outside + frame.cpu.meshlets_facing_away;
            out.meshlets->rejected.frustum = frame.cpu.meshlets_outside;
            out.meshlets->rejected.cone = frame.cpu.meshlets_facing_away;
        }
        out.sublets = all_drawn(frame.cpu.sublets);
        out.triangles = all_drawn(frame.cpu.primitives_drawn);
        return out;
    }
    out.instances = bounds_step(frame, frame.instances, kCounterInstancesRejected, kCounterInstancesPassed);
    out.instances.rejected.cone.reset();
    add_untested(out.instances, frame);
    if (frame.rest) return out;
    // How many a cut has is known of those that were looked at.
    const std::uint64_t meshlets = all(frame, frame.chooses_levels ? kCounterMeshletsTested : kCounterMeshlets);
    out.meshlets = bounds_step(frame, meshlets, kCounterMeshletsRejected, kCounterMeshletsDrawn);
    add_untested(*out.meshlets, frame, all(frame, kCounterOverflow));
    if (info.survivors != Survivors::kMeshlets || frame.cull_sublets) {  // else they are drawn whole
        out.sublets = bounds_step(frame, all(frame, kCounterSublets), kCounterSubletsRejected, kCounterSubletsDrawn);
        add_untested(*out.sublets, frame);
    }
    out.triangles = triangles_step(frame, info.primitives);
    return out;
}

}  // namespace sublet::render
