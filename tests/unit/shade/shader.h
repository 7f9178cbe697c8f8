// The shader's own source as C++: shaders/shade/barycentric.glsl.
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace sublet::test {

// For a device whose fma() rounds once.
namespace fused {

using glm::abs;
using glm::max;
using glm::vec2;
using glm::vec3;
using std::fma;

// Declared before the shader defines it, to be inline.
struct Barycentrics;
inline Barycentrics barycentrics(vec3 corners[3], vec2 pixel, vec2 step);

#include "shaders/shade/barycentric.glsl"

}  // namespace fused

// For one whose fma() is a product and a sum, as it may be.
namespace unfused {

using glm::abs;
using glm::max;
using glm::vec2;
using glm::vec3;

inline float fma(float a, float b, float c) {
    return a * b + c;
}

struct Barycentrics;
inline Barycentrics barycentrics(vec3 corners[3], vec2 pixel, vec2 step);

#include "shaders/shade/barycentric.glsl"

}  // namespace unfused

}  // namespace sublet::test
