#include "app/followed_camera.h"

#include <vector>

namespace sublet::app {
namespace {

std::vector<std::size_t> playing(const scene::EncodedScene& scene, const render::SceneSettings& settings) {
    if (!settings.grid.empty()) return {};
    return scene::chosen_animations(scene.scene, settings.animation);
}

}  // namespace

FollowedCamera::FollowedCamera(const scene::EncodedScene& scene, const render::SceneSettings& settings,
                               std::size_t node, const glm::vec4& bounds)
    : camera_(scene.scene.cameras[static_cast<std::size_t>(scene.scene.nodes[node].camera)]),
      node_(scene.scene, playing(scene, settings), node),
      bounds_(bounds) {}

std::optional<render::DefaultView> FollowedCamera::at(const scene::AnimationTimes& times) const {
    return render::camera_view(camera_, node_.world(times), bounds_);
}

}  // namespace sublet::app
