// A grid on the floor of a scene: where it lies.
#pragma once

#include <glm/vec3.hpp>

#include "render/view/camera.h"

namespace sublet::render {

// Lines along x and z, `spacing` apart, of which each tenth is stronger.
struct FloorGrid {
    float height = 0.0F;   // y of its plane
    float spacing = 0.1F;  // a power of ten
    glm::vec3 centre{0.0F};
    float radius = 1.0F;  // of a sphere about the centre that holds the scene
};

// That of a scene in this box: at y = 0, or at its lowest point where the box is wholly above or below that; with 6 to
// 63 lines across the sphere. A box without size counts as one of radius 1.
[[nodiscard]] FloorGrid floor_grid(const Box& box);

}  // namespace sublet::render
