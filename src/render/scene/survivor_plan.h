// Where survivors of culling lie in their list, and how often that may have to be filled.
#pragma once

#include <cstdint>

#include "render/passes/passes.h"

namespace sublet::render {

// A list with a region for each draw class. Where it can't hold every item of the scene, culling and drawing may take
// several rounds: one stops where the list is full, and the next goes on there (shaders/cull/rounds.glsl).
struct SurvivorPlan {
    PerClass<std::uint32_t> slots{};  // of each class's region
    PerClass<std::uint32_t> base{};   // running sum of these
    std::uint64_t items = 0;          // their sum
    std::uint32_t rounds = 1;         // that are enough whatever survives
};

// `all`: what the scene may leave of each class. `most_slots`: what the list is to hold, `most_of_class` of one class;
// more, if need be, so that each class has room for `step` items, which go there together or not at all.
[[nodiscard]] SurvivorPlan plan_survivors(const PerClass<std::uint64_t>& all, std::uint64_t most_slots,
                                          std::uint64_t most_of_class, std::uint32_t step);

}  // namespace sublet::render
