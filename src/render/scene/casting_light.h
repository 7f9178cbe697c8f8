#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

namespace sublet::render {

// A point or spot light, for those who choose which of them have shadow maps.
struct CastingLight {
    std::uint32_t number = 0;  // of the scene's lights
    glm::vec3 position{0.0F};
    float range = 0.0F;  // 0: it has no end, or none that stays
    glm::vec3 direction{0.0F, 0.0F, -1.0F};
    float cone = -1.0F;  // of a spot, the cosine of its outer angle; less than 0: it shines all around
};

}  // namespace sublet::render
