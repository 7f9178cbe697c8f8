// The funnel of a frame, from what shaders counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/counters.h"
#include "render/cull/phase.h"
#include "render/settings/backend_info.h"
#include "render/settings/frame_plan.h"
#include "shaders/shared/counters.h"

namespace sublet::render {

// Of a phase, all rounds together, by the numbers of shaders/shared/counters.h.
using PhaseCounts = std::array<std::uint64_t, shared::kCounters>;

struct CountedFrame {
    BackendInfo backend = backend_info(Backend::kDirect);  // of the plan
    OcclusionDetail detail = OcclusionDetail::kMeshlets;   // what bits two phases keep of
    bool cull_sublets = false;                             // of the plan
    bool chooses_levels = false;                           // meshlets are those of a cut
    std::size_t phases = 1;                                // of occlusion culling
    bool blends = false;                                   // another one drew what blends
    bool by_bits = false;  // culling is frozen, and phase 1 alone draws what that frame saw
    bool rest = false;     // the last round left something, that was drawn without lists
    std::uint64_t instances = 0, pixels = 0;
    CpuCounters cpu;
    std::array<PhaseCounts, 3> counts{};  // of the two phases, and of what blends
};

[[nodiscard]] Funnel make_funnel(const CountedFrame& frame);
// Nothing where the frame chose no levels of detail, or where not all of that is known.
[[nodiscard]] std::optional<CutCounters> cut_counters(const CountedFrame& frame);

}  // namespace sublet::render
