#include "render/scene/scene_size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <string>

#include "base/error.h"

namespace sublet::render {
namespace {

std::string text_of(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", number);
    return text.data();
}

}  // namespace

glm::vec4 sphere_around(std::span<const glm::vec4> spheres) {
    if (spheres.empty()) return glm::vec4(0.0F);
    glm::vec3 low(std::numeric_limits<float>::max());
    glm::vec3 high(std::numeric_limits<float>::lowest());
    for (const glm::vec4& sphere : spheres) {
        low = glm::min(low, glm::vec3(sphere) - sphere.w);
        high = glm::max(high, glm::vec3(sphere) + sphere.w);
    }
    return {0.5F * (low + high), 0.5F * glm::length(high - low)};
}

void require_drawable_size(std::span<const glm::vec4> spheres) {
    double reach = 0.0;
    double radius = 0.0;  // of the largest: scenes of several reach farther
    for (const glm::vec4& sphere : spheres) {
        const double r = sphere.w;
        radius = std::max(radius, r);
        for (int i = 0; i < 3; ++i) reach = std::max(reach, std::abs(static_cast<double>(sphere[i])) + r);
    }
    if (!(reach <= kMostReach)) {
        throw Error("scene", "size",
                    "it reaches " + text_of(reach) + " units from the origin, and is drawn to " + text_of(kMostReach) +
                        ": scale its root nodes down");
    }
    if (radius > 0.0 && radius < kLeastRadius) {
        throw Error("scene", "size",
                    "nothing in it has a radius of more than " + text_of(radius) + " units, and from " +
                        text_of(kLeastRadius) + " on it is drawn: scale its root nodes up");
    }
}

}  // namespace sublet::render
