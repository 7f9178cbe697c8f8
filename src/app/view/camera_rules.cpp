#include "app/view/camera_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>

namespace sublet::app {

namespace {

constexpr float kNearShare = 0.1F;        // of the nearest distance
constexpr float kLeastNear = 1e-6F;       // in radii of the scene
constexpr float kSettledNear = 1e-3F;     // share of a near plane that is not worth another picture
constexpr float kDoublingSeconds = 0.5F;  // how soon a near plane may double

// An eye that is this near to a face of the scene's box, as a share of its extent, looks at it from there: a camera on
// the ground before a house, say.
constexpr float kInset = 0.02F;

}  // namespace

CameraMode start_mode(const render::CameraPose& pose, const render::Box& scene, bool framed) {
    if (framed) return CameraMode::kOrbit;
    for (int i = 0; i < 3; ++i) {
        const float inset = kInset * (scene.high[i] - scene.low[i]);
        if (pose.eye[i] <= scene.low[i] + inset || pose.eye[i] >= scene.high[i] - inset) return CameraMode::kOrbit;
    }
    return CameraMode::kFirstPerson;
}

render::CameraPose axis_pose(const render::CameraPose& pose, const glm::vec3& pivot, AxisView view) {
    constexpr std::array<glm::vec3, 6> kFrom{glm::vec3(0, 0, 1),  glm::vec3(1, 0, 0),  glm::vec3(0, 1, 0),
                                             glm::vec3(0, 0, -1), glm::vec3(-1, 0, 0), glm::vec3(0, -1, 0)};
    render::CameraPose out = pose;
    out.target = pivot;
    out.eye = pivot + glm::distance(pose.eye, pivot) * kFrom.at(static_cast<std::size_t>(view));
    out.roll_degrees = 0.0F;
    return out;
}

float near_plane(std::optional<float> nearest, float start, float scene_radius, float current, float seconds) {
    if (!nearest) return current;
    const float least = std::min(start, kLeastNear * scene_radius);
    const float wanted = std::clamp(kNearShare * *nearest, least, start);
    // A distance is as exact as the plane that it was measured by: what is settled stays.
    if (wanted < start && std::abs(wanted - current) < kSettledNear * current) return current;
    return std::min(wanted, current * std::exp2(seconds / kDoublingSeconds));
}

}  // namespace sublet::app
