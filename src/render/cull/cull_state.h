// The cull state of a round: as it is when a frame begins, and where its indirect commands lie.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/resources.h"
#include "shaders/shared/mesh_format.h"
#include "shaders/shared/scene.h"

namespace sublet::render {

// As it is at the start of a frame. `classes`: draw classes that the scene has.
[[nodiscard]] shared::CullState initial_cull_state(std::uint32_t classes);

// Of a task that is drawn without lists (shaders/backends/rest.vert).
inline constexpr std::uint32_t kTaskVertices = shared::kTaskMeshlets * shared::kMeshletSize * 3;

// Where things lie in a CullState.
[[nodiscard]] constexpr VkDeviceSize survivors_offset(std::uint32_t draw_class) {
    return offsetof(shared::CullState, survivors) + offsetof(shared::SurvivorCounts, classes) +
           VkDeviceSize{draw_class} * sizeof(shared::ClassSurvivors);
}
[[nodiscard]] constexpr VkDeviceSize draws_offset(std::uint32_t draw_class) {
    return offsetof(shared::CullState, draws) + offsetof(shared::RoundDraws, classes) +
           VkDeviceSize{draw_class} * sizeof(shared::ClassDraws);
}
inline constexpr VkDeviceSize kTriangleGroupsOffset =
    offsetof(shared::CullState, survivors) + offsetof(shared::SurvivorCounts, triangle_groups);

}  // namespace sublet::render
