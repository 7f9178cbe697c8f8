// What the plan of a frame must know of a scene, beside the device.
#pragma once

#include <cstdint>

#include "render/settings/expansion_strategy.h"

namespace sublet::render {

// Of culling and drawing in a phase, at most, whatever budget is asked for: each is some commands that the CPU records.
inline constexpr std::uint32_t kMostAskedRounds = 64;
// The same where the device can't bind as much as that takes.
inline constexpr std::uint32_t kMostCullRounds = 1024;

// All zero: nothing is known of a scene.
struct SceneFacts {
    ExpansionDemand meshlets;         // sources: instances; items: their meshlets
    std::uint64_t sublets = 0;        // over all instances: what bits of single triangles are kept for
    bool wide_ids = false;            // they are too many for ids of one word (shaders/view/visibility_id.glsl)
    std::uint32_t meshlet_draws = 0;  // draws of one call, where a draw is a meshlet
    std::uint32_t run_draws = 0;      // the same where it is a run of a meshlet's sublets
    std::uint32_t run_rounds = 1;     // rounds of culling, where the list holds such runs
    // Of the window that it is drawn in, in pixels; 0: not known.
    std::uint32_t width = 0, height = 0;
};

}  // namespace sublet::render
