#include "app/placed_scene.h"

#include <cstddef>
#include <vector>

#include "render/view/camera.h"

namespace sublet::app {

std::shared_ptr<const scene::EncodedScene> placed_scene(const scene::EncodedScene& scene,
                                                        const render::SceneSettings& settings,
                                                        const scene::AnimationTimes& times) {
    const std::vector<std::size_t> playing = scene::chosen_animations(scene.scene, settings.animation);
    if (playing.empty() || !settings.grid.empty()) return {std::shared_ptr<const void>(), &scene};
    return std::make_shared<const scene::EncodedScene>(scene::posed_placement(scene, playing, times));
}

std::shared_ptr<const scene::EncodedScene> placed_scene(const SceneNow& scene) {
    return placed_scene(scene.scene, scene.settings, scene.times);
}

glm::vec4 placed_bounds(const SceneNow& scene) {
    return render::scene_bounds(*placed_scene(scene), scene.settings.grid);
}

}  // namespace sublet::app
