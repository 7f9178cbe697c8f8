#include "render/scene/casting_lights.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace sublet::render {
namespace {

constexpr std::size_t kLightsOfBlock = 64;

CastingLights::Block block_around(std::span<const CastingLight> lights, std::size_t first) {
    glm::vec3 low(std::numeric_limits<float>::max());
    glm::vec3 high(std::numeric_limits<float>::lowest());
    CastingLights::Block out{.first = first, .count = lights.size()};
    for (const CastingLight& light : lights) {
        low = glm::min(low, light.position);
        high = glm::max(high, light.position);
        out.range = std::max(out.range, light.range > 0.0F ? light.range : std::numeric_limits<float>::infinity());
    }
    out.centre = 0.5F * (low + high);
    for (const CastingLight& light : lights) {
        out.radius = std::max(out.radius, glm::distance(out.centre, light.position));
    }
    return out;
}

// Halves the lights across the longest side of their box until they are few. Linear in them, but for a logarithm.
void divide(std::span<CastingLight> lights, std::size_t first, std::vector<CastingLights::Block>& out) {
    if (lights.size() <= kLightsOfBlock) {
        if (!lights.empty()) out.push_back(block_around(lights, first));
        return;
    }
    glm::vec3 low = lights[0].position;
    glm::vec3 high = low;
    for (const CastingLight& light : lights) {
        low = glm::min(low, light.position);
        high = glm::max(high, light.position);
    }
    const glm::vec3 size = high - low;
    const int axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
    const std::size_t half = lights.size() / 2;
    std::ranges::nth_element(lights, lights.begin() + static_cast<std::ptrdiff_t>(half), {},
                             [axis](const CastingLight& light) { return light.position[axis]; });
    divide(lights.first(half), first, out);
    divide(lights.subspan(half), first + half, out);
}

}  // namespace

CastingLights::CastingLights(std::vector<CastingLight> still, const std::vector<CastingLight>& moving)
    : lights_(moving) {
    for (std::size_t i = 0; i < moving.size(); ++i) blocks_.push_back(block_around({&moving[i], 1}, i));
    divide(still, moving.size(), blocks_);
    lights_.insert(lights_.end(), still.begin(), still.end());
}

void CastingLights::darken(const std::vector<char>& dark) {
    for (CastingLight& light : lights_) light.dark = dark[light.number] != 0;
}

void CastingLights::move(std::size_t moving, const glm::vec3& position, const glm::vec3& direction) {
    CastingLight& light = lights_[moving];
    light.position = position;
    light.direction = direction;
    blocks_[moving] = block_around({&light, 1}, moving);
}

}  // namespace sublet::render
