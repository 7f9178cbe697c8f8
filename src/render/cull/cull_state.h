// The cull state of a phase: made ready, for a frame and for each round in it, and where its indirect commands lie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/resources.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// As it is at the start of a frame.
[[nodiscard]] shared::CullState initial_cull_state();

// Empties the lists for another round, and keeps the counters. What used the lists before is waited for.
void reset_survivor_lists(VkCommandBuffer commands, const gpu::Buffer& cull_state);

// Where things lie in a CullState.
[[nodiscard]] constexpr VkDeviceSize survivors_offset(std::uint32_t draw_class) {
    return offsetof(shared::CullState, survivors) + offsetof(shared::SurvivorCounts, classes) +
           VkDeviceSize{draw_class} * sizeof(shared::ClassSurvivors);
}
[[nodiscard]] constexpr VkDeviceSize draws_offset(std::uint32_t draw_class) {
    return offsetof(shared::CullState, draws) + offsetof(shared::RoundDraws, classes) +
           VkDeviceSize{draw_class} * sizeof(shared::ClassDraws);
}

}  // namespace sublet::render
