// The cull state of a phase: made ready, for a frame and for each round in it.
#pragma once

#include <cstdint>

#include "gpu/resources.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// As it is at the start of a frame.
[[nodiscard]] shared::CullState initial_cull_state();

// Empties the lists for another round, and keeps the counters. What used the lists before is waited for.
void reset_survivor_lists(VkCommandBuffer commands, const gpu::Buffer& cull_state);

}  // namespace sublet::render
