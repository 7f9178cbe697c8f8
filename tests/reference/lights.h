// Light of point and spot lights by its definition (KHR_lights_punctual), and shadows by rays.
#pragma once

#include <glm/vec3.hpp>

#include "scene.h"

namespace sublet::reference {

// Irradiance of a point: a range, since near the edge of a shadow a map of texels may say either.
struct Lit {
    glm::dvec3 low{0.0}, high{0.0};
};

// At a point of a triangle that is seen from the side of `normal`, which is of unit length.
Lit light_at(const Scene& scene, const Triangle& triangle, const glm::dvec3& position, const glm::dvec3& normal);

}  // namespace sublet::reference
