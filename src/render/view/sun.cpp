#include "render/view/sun.h"

#include <cmath>
#include <glm/exponential.hpp>
#include <glm/trigonometric.hpp>

namespace sublet::render {

glm::vec3 sun_direction(const Sun& sun) {
    const float elevation = glm::radians(sun.elevation);
    const float azimuth = glm::radians(sun.azimuth);
    return {std::cos(elevation) * std::sin(azimuth), std::sin(elevation), std::cos(elevation) * std::cos(azimuth)};
}

glm::vec3 sun_irradiance(const Sun& sun, EnvironmentKind environment) {
    if (!sun.on) return glm::vec3(0.0F);
    if (environment != EnvironmentKind::kSky) return glm::vec3(kSunIrradiance);
    if (sun.elevation <= 0.0F) return glm::vec3(0.0F);
    // Air, dust and ozone straight up (environment/sky.glsl), times the air on the way: F. Kasten and A. Young,
    // "Revised optical air mass tables and approximation formula", 1989.
    const glm::vec3 straight_up = glm::vec3(5.802e-3F, 13.558e-3F, 33.1e-3F) * 8.0F + glm::vec3(4.44e-3F * 1.2F) +
                                  glm::vec3(0.650e-3F, 1.881e-3F, 0.085e-3F) * 15.0F;
    const float mass =
        1.0F / (std::sin(glm::radians(sun.elevation)) + 0.50572F * std::pow(sun.elevation + 6.07995F, -1.6364F));
    return kSunIrradiance * glm::exp(-straight_up * mass);
}

}  // namespace sublet::render
