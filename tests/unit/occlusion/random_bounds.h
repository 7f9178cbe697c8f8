// Random views, depth images and bounds, for the proof of the occlusion tests and for a device to run.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <random>
#include <vector>

#include "render/view/camera.h"
#include "vertex.h"

namespace sublet::test {

using Random = std::mt19937;

// Uniform in [low, high).
double uniform(Random& random, double low, double high);
// Its logarithm uniform.
double log_uniform(Random& random, double low, double high);
glm::dvec3 random_direction(Random& random);

struct Camera {
    render::View view;
    std::uint32_t width = 1, height = 1;  // pixels
    double distance = 1.0;                // eye to target
};

// Fields of view from narrow to 150 degrees, near planes of all sizes, extreme aspects, eyes far from the origin; one
// in four is orthographic. Windows of up to `largest` pixels a side.
Camera random_camera(Random& random, std::uint32_t largest);

// A mesh's bounds under an instance's transform.
struct Bound {
    Rows transform{};
    glm::vec4 sphere{0.0F};  // object space: centre, radius
    glm::vec3 low{0.0F};     // object space, the box
    float scale = 0.0F;      // a bound of the spectral norm of the transform
    glm::vec3 high{0.0F};
};

// Bounds as a view meets them: near and far, tiny and huge, hugging the near plane, around the eye, behind it, at the
// window's edges, outside; under rotations, uneven scales, shears and mirrors.
Bound random_bound(Random& random, const Camera& camera);

// Depth images in which all kinds of bounds are now visible and now not: planes, steps, holes of single pixels.
std::vector<float> random_depths(Random& random, const Camera& camera);

}  // namespace sublet::test
