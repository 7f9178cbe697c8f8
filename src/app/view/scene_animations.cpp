#include "app/view/scene_animations.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "scene/animation.h"

namespace sublet::app {

SceneValues scene_values(const scene::Scene& scene) {
    SceneValues out;
    if (!scene.variants.empty()) out.variants.push_back({"none: the meshes' own", ""});
    for (const scene::Variant& variant : scene.variants) out.variants.push_back({variant.name, variant.name});
    if (scene.animations.empty()) return out;
    for (const std::string_view word : {scene::kAllAnimations, scene::kNoAnimation}) {
        out.animations.push_back({std::string(word), std::string(word)});
    }
    for (std::size_t i = 0; scene.animations.size() > 1 && i < scene.animations.size(); ++i) {
        out.animations.push_back({scene::animation_name(scene, i), scene::animation_choice(scene, {i})});
    }
    return out;
}

void SceneAnimations::take(const scene::Scene& scene, const render::SceneSettings& settings,
                           std::span<const render::SceneCamera> cameras, const render::AnimationState& drawn) {
    const std::vector<std::size_t> chosen = scene::chosen_animations(scene, settings.animation);
    const std::vector<char> moved = scene::moved_nodes(scene, scene::played_channels(scene, chosen));
    const bool moves = drawn.length > 0.0 ||
                       (settings.grid.empty() && std::any_of(cameras.begin(), cameras.end(), [&](const auto& camera) {
                            return moved[*camera.view.node] != 0;
                        }));
    names_.clear();
    for (std::size_t i = 0; i < scene.animations.size(); ++i) names_.push_back(scene::animation_name(scene, i));
    chosen_.assign(scene.animations.size(), 0);
    std::vector<double> lengths(scene.animations.size(), 0.0);
    for (const std::size_t animation : chosen) {
        chosen_[animation] = 1;
        if (moves) lengths[animation] = scene::animation_length(scene.animations[animation]);
    }
    players_.set_lengths(lengths);
    if (selected_ && *selected_ >= lengths.size()) selected_.reset();
}

void SceneAnimations::advance(render::FrameSettings& settings, double seconds) {
    players_.take(settings.time, settings.speed);
    players_.advance(seconds);
    players_.tell(settings.time, settings.speed);
}

std::string SceneAnimations::choice(const AnimationRequest::Choice& asked, const scene::Scene& scene) const {
    return scene::animation_choice(scene, chosen_after(asked, chosen_));
}

bool SceneAnimations::apply(const AnimationRequest& request, std::optional<std::size_t> of) {
    if (request.select) selected_ = *request.select;
    if (request.choose && request.choose->plays) {
        players_.change(request.choose->animation, [](AnimationPlayer& player) { player.set_playing(true); });
    }
    const AnimationPlayer* const toggled = request.toggle ? players_.of(of) : nullptr;
    if (toggled != nullptr) {
        const bool play = of ? !toggled->playing() : !players_.playing();
        players_.change(of, [&](AnimationPlayer& player) { player.set_playing(play); });
    }
    players_.change({}, [](AnimationPlayer& player) { player.set_held(false); });
    players_.change(of, [&](AnimationPlayer& player) {
        player.set_held(request.held);
        if (request.step != 0) player.set_time(player.place() + request.step / 60.0);
        if (request.time) player.set_time(*request.time);
        if (request.step != 0) player.set_playing(false);
        if (request.loop) player.set_loop(*request.loop);
        if (request.speed) player.set_speed(std::round(*request.speed * 100.0) / 100.0);
    });
    return request.toggle || request.step != 0 || request.time || request.loop || request.speed;
}

Json SceneAnimations::json() const {
    Json out = Json::array();
    for (std::size_t i = 0; i < players_.all().size(); ++i) {
        const AnimationPlayer& player = players_.all()[i];
        out.push_back({{"name", names_[i]},
                       {"chosen", chosen_[i] != 0},
                       {"playing", player.playing()},
                       {"loop", player.loop()},
                       {"speed", player.speed()},
                       {"time", player.time()}});
    }
    return out;
}

}  // namespace sublet::app
