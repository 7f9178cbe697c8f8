// The sun: where it stands, and what of its light arrives.
#pragma once

#include <glm/vec3.hpp>

#include "render/settings/settings.h"

namespace sublet::render {

// Of a surface above the air that faces the sun; linear. Chosen so that a white wall in a clear noon's sun is almost
// white in the picture at ev 0.
inline constexpr float kSunIrradiance = 3.6F;

// Towards the sun; unit length.
[[nodiscard]] glm::vec3 sun_direction(const Sun& sun);
// What arrives on a surface that faces it; nothing where it is off. Under the sky: at the ground, through the air;
// nothing where the horizon hides it.
[[nodiscard]] glm::vec3 sun_irradiance(const Sun& sun, EnvironmentKind environment);

}  // namespace sublet::render
