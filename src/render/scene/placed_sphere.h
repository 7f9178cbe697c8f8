#pragma once

#include <glm/vec4.hpp>

#include "shaders/shared/scene.h"

namespace sublet::render {

// A bound's sphere in the world, under an instance's transform: world_sphere() of shaders/view/sphere_projection.glsl,
// from that source.
[[nodiscard]] glm::vec4 placed_sphere(const shared::Instance& instance, const shared::vec4& sphere);

}  // namespace sublet::render
