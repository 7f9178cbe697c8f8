#include "render/view/floor_grid.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace sublet::render {

FloorGrid floor_grid(const Box& box) {
    constexpr float kLinesOfRadius = 10.0F;
    constexpr float kLeastSpacing = 1e-30F;
    FloorGrid out;
    out.height = box.low.y <= 0.0F && box.high.y >= 0.0F ? 0.0F : box.low.y;
    out.centre = box.centre();
    const float radius = 0.5F * glm::distance(box.low, box.high);
    out.radius = radius > 0.0F && std::isfinite(radius) ? radius : 1.0F;
    out.spacing = std::max(std::pow(10.0F, std::round(std::log10(out.radius / kLinesOfRadius))), kLeastSpacing);
    return out;
}

}  // namespace sublet::render
