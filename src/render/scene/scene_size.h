// How large and how small a scene may be.
#pragma once

#include <glm/vec4.hpp>
#include <span>

namespace sublet::render {

// In units of the scene. Shaders take products of lengths in floats, which hold numbers from 1e-38 to 3e38.
inline constexpr double kLeastRadius = 1e-15;
inline constexpr double kMostReach = 1e17;  // of a coordinate

// A sphere around these (centre, radius); w of 0 for none.
[[nodiscard]] glm::vec4 sphere_around(std::span<const glm::vec4> spheres);

// Throws Error where a scene of these spheres is too small, or reaches too far from the origin, for what shaders
// compute. Scenes of no size at all pass: nothing is seen of them, wherever they are seen from.
void require_drawable_size(std::span<const glm::vec4> spheres);

}  // namespace sublet::render
