// Which way the world's axes point, in a corner of the picture.
#pragma once

#include <array>
#include <cstddef>
#include <glm/vec3.hpp>

#include "render/settings/settings.h"

namespace sublet::app {

// An axis as the camera sees it: of unit length in the world, to the right, up, and towards the eye.
struct SeenAxis {
    std::size_t axis = 0;  // x, y, z
    glm::vec3 direction{0.0F};
};

// The farthest first: those behind it are drawn over it. Throws Error for a pose that shows nothing.
[[nodiscard]] std::array<SeenAxis, 3> seen_axes(const render::CameraPose& pose);

// About a point of the window, behind all panels; `radius` in the window's units.
void draw_axis_cross(const render::CameraPose& pose, float x, float y, float radius);

}  // namespace sublet::app
