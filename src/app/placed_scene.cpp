#include "app/placed_scene.h"

#include <cstddef>
#include <vector>

#include "scene/animation.h"

namespace sublet::app {

std::shared_ptr<const scene::EncodedScene> placed_scene(const scene::EncodedScene& scene,
                                                        const render::SceneSettings& settings, double time) {
    const std::vector<std::size_t> playing = scene::chosen_animations(scene.scene, settings.animation);
    if (playing.empty() || !settings.grid.empty()) return {std::shared_ptr<const void>(), &scene};
    return std::make_shared<const scene::EncodedScene>(scene::posed_placement(scene, playing, time));
}

bool cameras_move(const scene::EncodedScene& scene, const render::SceneSettings& settings) {
    if (!settings.grid.empty()) return false;
    const std::vector<std::size_t> playing = scene::chosen_animations(scene.scene, settings.animation);
    const std::vector<char> moved = scene::moved_nodes(scene.scene, scene::played_channels(scene.scene, playing));
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (moved[i] != 0 && scene.scene.nodes[i].camera >= 0) return true;
    }
    return false;
}

}  // namespace sublet::app
