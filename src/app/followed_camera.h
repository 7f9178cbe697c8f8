// A camera of the scene that animations move.
#pragma once

#include <cstddef>
#include <glm/vec4.hpp>
#include <optional>

#include "render/settings/settings.h"
#include "render/view/camera.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::app {

// Where it is at a time costs what the nodes above it cost, whatever else the scene has.
class FollowedCamera {
  public:
    // The camera at a node (render::DefaultView::node), by the animations that the settings choose; throws Error for
    // one that the scene does not have. `bounds`: as of render::camera_view(), at any one time. The scene must live as
    // long. With a grid nothing of the scene's own moves.
    FollowedCamera(const scene::EncodedScene& scene, const render::SceneSettings& settings, std::size_t node,
                   const glm::vec4& bounds);

    [[nodiscard]] bool moves() const { return node_.moves(); }
    // Nothing where it shows nothing at that time: its node has no size, say.
    [[nodiscard]] std::optional<render::DefaultView> at(const scene::AnimationTimes& times) const;

  private:
    scene::Camera camera_;
    scene::MovingNode node_;
    glm::vec4 bounds_;
};

}  // namespace sublet::app
