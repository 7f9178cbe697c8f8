#include "render/scene/placed_sphere.h"

#include <array>

#include "base/glsl.h"
#include "shaders/shared/occlusion.h"

SUBLET_GLSL_BEGIN
namespace sublet::glsl::projection {

using shared::OcclusionView;

namespace {

#include "shaders/view/sphere_projection.glsl"

}  // namespace
}  // namespace sublet::glsl::projection
SUBLET_GLSL_END

namespace sublet::render {

glm::vec4 placed_sphere(const shared::Instance& instance, const shared::vec4& sphere) {
    const std::array<glm::vec4, 3> rows{instance.transform[0], instance.transform[1], instance.transform[2]};
    return glsl::projection::world_sphere(rows.data(), instance.scale, sphere);
}

}  // namespace sublet::render
