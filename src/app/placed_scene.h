// A scene as its animations place it: what cameras and bounds go by.
#pragma once

#include <glm/vec4.hpp>
#include <memory>

#include "render/settings/settings.h"
#include "scene/animation.h"
#include "scene/container.h"

namespace sublet::app {

// The scene in the pose of these times, by the animations that the settings choose: nodes, cameras and geometry, not
// its images. The scene itself, which must live as long, where nothing plays. Throws Error for an animation that it
// does not have.
[[nodiscard]] std::shared_ptr<const scene::EncodedScene> placed_scene(const scene::EncodedScene& scene,
                                                                      const render::SceneSettings& settings,
                                                                      const scene::AnimationTimes& times);

// A scene by its settings, at these times of its animations. What it names must live as long.
struct SceneNow {
    const scene::EncodedScene& scene;
    const render::SceneSettings& settings;
    scene::AnimationTimes times;
};
// As above; and a sphere around it: its centre and radius.
[[nodiscard]] std::shared_ptr<const scene::EncodedScene> placed_scene(const SceneNow& scene);
[[nodiscard]] glm::vec4 placed_bounds(const SceneNow& scene);

}  // namespace sublet::app
